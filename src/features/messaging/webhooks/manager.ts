import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { fail } from '#kernel/error.ts';
import type { KeyCaller, UserCaller } from '#kernel/http/declare/route.ts';
import type { Managing } from './endpoint-store.ts';

/** A manager of endpoints: the scope, and the manager's own client. */
export interface Manager {
  readonly scope: Managing;
  readonly client_id: number;
}

/**
 * Admins manage their client's endpoints, the operator's admins those of all clients; so do the keys that they have
 * made, while they are admins. Throws FORBIDDEN for all others.
 */
export function managerOf(caller: KeyCaller | UserCaller): Manager {
  if ('user_id' in caller) {
    const { role, client_id, operator } = caller;
    if (role !== 'admin') throw fail('FORBIDDEN', 'Admin access required');
    return { scope: operator ? {} : { client_id }, client_id };
  }
  const { client_id, user_id } = caller.key;
  if (client_id === null || user_id === null)
    throw fail('FORBIDDEN', 'This API key is no client’s: log in, or use a key of your own');
  const isOperators = client_id === OPERATOR_CLIENT_ID;
  return {
    scope: { admin_id: user_id, ...(isOperators ? {} : { client_id }) },
    client_id,
  };
}

/** The maker of an endpoint: the admin, or the owner of the key. */
export const makerOf = (caller: KeyCaller | UserCaller): number | null =>
  'user_id' in caller ? caller.user_id : caller.key.user_id;
