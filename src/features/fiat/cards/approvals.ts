import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { isApproved, type Requester } from '#kernel/access/requester.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';

/** What was approved or blocked a minute ago may still count as it was. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Whether somebody is approved (see `isApproved`). Asked for every card, so remembered a minute. */
export function approvalReader(
  db: Db,
  clock: Clock,
): (who: Required<Pick<Requester, 'client_id' | 'user_id'>>) => Promise<boolean> {
  const known = new Map<string, { readonly approved: boolean; readonly until: number }>();
  return async (who) => {
    // Of the operator's users only the admins are, of any other client everybody or nobody.
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
