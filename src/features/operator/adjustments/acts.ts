import { rolesOf } from '#kernel/access/team.ts';
import type { Db } from '#kernel/db/db.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { type Adjustment, mayBeSecond } from './store.ts';

export const ADJUSTMENT_ACTS = ['approve', 'reject', 'withdraw'] as const;
type AdjustmentAct = (typeof ADJUSTMENT_ACTS)[number];

type Open = Pick<Adjustment, 'adjustment_id' | 'status' | 'proposed_by' | 'user_id'>;

/** What somebody may do about a correction, by the rules that are asked again when they do it. */
export async function actsOf(
  db: Db,
  { adjustment_id, status, proposed_by, user_id }: Open,
  { user_id: by, team_role = 'owner' }: UserCaller,
): Promise<AdjustmentAct[]> {
  if (status !== 'PROPOSED') return [];
  if (by === proposed_by) return rolesOf('books:write').includes(team_role) ? ['withdraw'] : [];
  if (!rolesOf('books:approve').includes(team_role)) return [];
  const isSecond = by !== user_id && (await mayBeSecond(db, adjustment_id, by));
  return isSecond ? ['approve', 'reject'] : ['reject'];
}
