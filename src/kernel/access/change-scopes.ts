import type { Auth, Caller } from '../http/declare/route.ts';

/** By what a caller's changes are known, and those whose changes it has to see. */
export interface ChangeScopes {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

/** What everybody has to see. */
export const EVERYBODY = '*';

/**
 * A user sees at once what he, his client's keys and its admins have changed; those see what anybody of the
 * client has changed; everybody what the platform's operator has. What was done with a key alone, such as a
 * log-in, is seen by all who come with that key.
 */
export function changeScopesOf(caller: Caller<Auth>): ChangeScopes {
  if (caller === null) return { writes: [], reads: [EVERYBODY] };
  const { key } = caller;
  const { writes, reads } = ownMarks(caller);
  // One of no client is its holder's, whoever logs in with it.
  const holder = key && key.client_id === null ? [`key:${key.key_id}`] : [];
  const isAlone = !('user_id' in caller || 'userx_id' in caller);
  return {
    writes: isAlone ? [...writes, ...holder] : writes,
    reads: [...reads, ...holder, EVERYBODY],
  };
}

function ownMarks(caller: Exclude<Caller<Auth>, null>): ChangeScopes {
  if ('userx_id' in caller) return ofOne(`member:${caller.userx_id}`, caller.key.client_id);
  if (!('user_id' in caller)) return ofClient(caller.key.client_id);
  const { user_id, client_id, role, operator } = caller;
  if (operator) return { writes: [EVERYBODY], reads: ofClient(client_id).reads };
  return role === 'admin' ? ofClient(client_id) : ofOne(`user:${user_id}`, client_id);
}

/** `all` is what anybody of a client has changed, `client` what concerns everybody there. */
function ofOne(own: string, client_id: number | null): ChangeScopes {
  if (client_id === null) return { writes: [own], reads: [own] };
  return { writes: [own, `all:${client_id}`], reads: [own, `client:${client_id}`] };
}

function ofClient(client_id: number | null): ChangeScopes {
  if (client_id === null) return { writes: [], reads: [] };
  return { writes: [`client:${client_id}`, `all:${client_id}`], reads: [`all:${client_id}`] };
}
