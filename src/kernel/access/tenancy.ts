import type { Db } from '../db/db.ts';
import type { ApiKey, UserCaller } from '../http/route.ts';
import { OPERATOR_CLIENT_ID } from './doors.ts';

/** Part of a WHERE clause: the columns that must equal these for a row to exist for the caller. */
export interface Reach {
  readonly client_id?: number;
  readonly user_id?: number;
}

/** `{}` for the operator's admins, the client for an admin, oneself for a user. */
export function reachOf(caller: UserCaller): Reach {
  if (caller.operator) return {};
  return caller.role === 'admin' ? { client_id: caller.client_id } : { user_id: caller.user_id };
}

/** Nothing when there is no such user within reach: outside it, a user does not exist. */
export const userWithin = (db: Db, reach: Reach, user_id: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'client_id'])
    .where('user_id', '=', user_id)
    .$if(reach.user_id !== undefined, (q) => q.where('user_id', '=', reach.user_id ?? 0))
    .$if(reach.client_id !== undefined, (q) => q.where('client_id', '=', reach.client_id ?? 0))
    .executeTakeFirst();

/** The one client an admin reaches, or undefined for the operator's, who reach every client. */
export const clientReachOf = (caller: UserCaller): number | undefined =>
  caller.operator ? undefined : caller.client_id;

/** Whether the caller may act on this user: oneself, an admin of the same client, the operator. */
export function mayActFor(
  caller: UserCaller,
  user: { readonly user_id: number; readonly client_id: number },
): boolean {
  if (caller.user_id === user.user_id || caller.operator) return true;
  return caller.role === 'admin' && caller.client_id === user.client_id;
}

/**
 * Whom a key reaches where no log-in goes along: one that somebody made the users of their client,
 * except the operator's; the key of an application everybody, since it signs up clients, too.
 */
export function reachOfKey({ user_id, client_id }: ApiKey): Reach {
  const bound = user_id !== null && client_id !== null && client_id !== OPERATOR_CLIENT_ID;
  return bound ? { client_id } : {};
}
