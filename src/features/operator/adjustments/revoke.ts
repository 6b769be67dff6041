import type { Db } from '#kernel/db/db.ts';
import { type AdjustmentActor, record } from './record.ts';
import { voidProposals } from './store.ts';

/** Voids the open proposals of a user, in the transaction that suspends them. Answers their ids. */
export async function voidProposalsOf(
  tx: Db,
  proposed_by: number,
  { now, ...by }: AdjustmentActor & { readonly now: Date },
): Promise<string[]> {
  const rows = await voidProposals(tx, proposed_by, by.caller.user_id);
  await record(tx, 'voided', rows, { by, now });
  return rows.map(({ adjustment_id }) => adjustment_id);
}
