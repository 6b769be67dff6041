import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { isApproved, type Requester } from '#kernel/access/requester.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';

/** An approval or block of the last minute may still be unseen. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Whether a user is approved (see `isApproved`). Each card needs it, so it is cached a minute. */
export function approvalReader(
  db: Db,
  clock: Clock,
): (who: Required<Pick<Requester, 'client_id' | 'user_id'>>) => Promise<boolean> {
  const known = new Map<string, { readonly approved: boolean; readonly until: number }>();
  return async (who) => {
    // Of the operator's users only admins are approved, of any other client all or none.
    const isOne = who.client_id === OPERATOR_CLIENT_ID;
    const key = isOne ? `user:${who.user_id}` : `client:${who.client_id}`;
    const now = clock.now().getTime();
    const found = known.get(key);
    if (found && found.until > now) return found.approved;
    const approved = await isApproved(db, who);
    if (known.size >= REMEMBERED_MAX) known.clear();
    known.set(key, { approved, until: now + REMEMBERED_MS });
    return approved;
  };
}
