import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { lockOwnerAnd } from './store.ts';

/**
 * Locks the caller, and `user_id` where one is meant, until the transaction ends: of two owners who remove one
 * another, the second is none any more. Throws FORBIDDEN, and USER_NOT_FOUND for a person outside the team.
 */
export async function requireOwner(
  tx: Db,
  { user_id: by, client_id }: UserCaller,
  user_id: number = by,
): Promise<void> {
  const { isOwner, isMember } = await lockOwnerAnd(tx, client_id, { by, user_id });
  if (!isOwner) throw fail('FORBIDDEN', 'Only an owner of the team may do this');
  if (!isMember) throw fail('USER_NOT_FOUND', 'User not found');
}

/** The same for an act on a colleague. Throws FORBIDDEN for oneself, too, so that a team always keeps an owner. */
export async function requireOwnerOver(tx: Db, caller: UserCaller, user_id: number): Promise<void> {
  if (user_id === caller.user_id)
    throw fail('FORBIDDEN', 'Owners cannot change or end their own role', {
      hint: 'Another owner does it. The last owner stays.',
    });
  await requireOwner(tx, caller, user_id);
}
