import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';

/** What was approved or blocked a minute ago may still count as it was. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Whether the platform has approved a client. Asked for every card, so it is remembered a minute. */
export function isApproved(db: Db, clock: Clock): (client_id: number) => Promise<boolean> {
  const known = new Map<number, { readonly approved: boolean; readonly until: number }>();
  return async (client_id) => {
    const now = clock.now().getTime();
    const found = known.get(client_id);
    if (found && found.until > now) return found.approved;
    const row = await db
      .selectFrom('clients')
      .select('client_status')
      .where('client_id', '=', client_id)
      .executeTakeFirst();
    const approved = row?.client_status === 'ACTIVE';
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(client_id, { approved, until: now + REMEMBERED_MS });
    return approved;
  };
}
