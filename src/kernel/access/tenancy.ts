import type { UserCaller } from '../http/route.ts';

/** The one client whose data a caller reaches, or undefined for the operator, who reaches all. */
export const reachOf = (caller: UserCaller): number | undefined =>
  caller.operator ? undefined : caller.client_id;

/** Whether a caller may act on this user: oneself, an admin of the same client, or the operator. */
export function mayActFor(
  caller: UserCaller,
  user: { readonly user_id: number; readonly client_id: number },
): boolean {
  if (caller.user_id === user.user_id || caller.operator) return true;
  return caller.role === 'admin' && caller.client_id === user.client_id;
}

/**
 * The same as a filter on a query that has `user_id` and `client_id` columns under `table`: rows the
 * caller does not reach are simply not found (decisions: Who may do what).
 */
export interface Reach {
  readonly client_id?: number;
  readonly user_id?: number;
}

/** `{}` for the operator, a client for an admin, oneself for a user. */
export function reachFilter(caller: UserCaller): Reach {
  if (caller.operator) return {};
  return caller.role === 'admin' ? { client_id: caller.client_id } : { user_id: caller.user_id };
}
