import type { Auth, Caller } from '../http/declare/route.ts';

/** The scopes that a caller's changes belong to, and the scopes whose changes it has to see. */
export interface ChangeScopes {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** The scope that every caller has to see. */
export const EVERYBODY = '*';

/**
 * A user sees at once the changes of the same user, of the client's keys and of its admins; keys and admins see the changes
 * of all of their client; every caller sees those of the platform's operator. All callers with a key see what was
 * done with that key alone, such as a log-in.
 */
export function changeScopesOf(caller: Caller<Auth>): ChangeScopes {
  if (caller === null) return { writes: [], reads: [EVERYBODY] };
  const { key } = caller;
  const { writes, reads } = ownScopes(caller);
  // A key of no client is its holder's, with any log-in.
  const holder = key && key.client_id === null ? [`key:${key.key_id}`] : [];
  const isAlone = !('user_id' in caller || 'userx_id' in caller);
  return {
    writes: isAlone ? [...writes, ...holder] : writes,
    reads: [...reads, ...holder, EVERYBODY],
  };
}

function ownScopes(caller: Exclude<Caller<Auth>, null>): ChangeScopes {
  if ('userx_id' in caller) return ofOne(`member:${caller.userx_id}`, caller.key.client_id);
  if (!('user_id' in caller)) return ofClient(caller.key.client_id);
  const { user_id, client_id, role, operator } = caller;
  if (operator) return { writes: [EVERYBODY], reads: ofClient(client_id).reads };
  return role === 'admin' ? ofClient(client_id) : ofOne(`user:${user_id}`, client_id);
}

/** `all` has the changes of anyone at a client, `client` those that concern everyone there. */
function ofOne(own: string, client_id: number | null): ChangeScopes {
  if (client_id === null) return { writes: [own], reads: [own] };
  return { writes: [own, `all:${client_id}`], reads: [own, `client:${client_id}`] };
}

function ofClient(client_id: number | null): ChangeScopes {
  if (client_id === null) return { writes: [], reads: [] };
  return { writes: [`client:${client_id}`, `all:${client_id}`], reads: [`all:${client_id}`] };
}
