import type { FastifyRequest } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import { fail } from '../error.ts';
import type { AnyEndpoint, UserCaller } from '../http/declare/route.ts';
import { consoleCookie, isOwnPage } from './console-cookie.ts';
import type { ConsoleSessions } from './console-sessions.ts';

/** Which requests come from the operator's console, by its cookie (decisions: the console). */
export interface ConsoleDoor {
  /** The token of its cookie: where the endpoint is open to it, no other credentials came, and its own page asks. */
  tokenOf(endpoint: AnyEndpoint, request: FastifyRequest): string | undefined;
  /** Throws FORBIDDEN, TOKEN_EXPIRED or STEP_UP_REQUIRED where the holder of that log-in may not ask for it. */
  admit(endpoint: AnyEndpoint, caller: UserCaller): UserCaller | Promise<UserCaller>;
}

interface DoorDeps {
  readonly config: Pick<Config, 'CONSOLE' | 'CONSOLE_CLIENTS' | 'PUBLIC_URL'>;
  readonly consoleSessions: ConsoleSessions;
}

export function createConsoleDoor({ config, consoleSessions }: DoorDeps): ConsoleDoor {
  const cookie = consoleCookie(config);
  return {
    tokenOf(endpoint, { headers }) {
      if (config.CONSOLE === 'off' || !opensToConsole(endpoint)) return undefined;
      if (headers['x-api-key'] !== undefined || headers.authorization !== undefined)
        return undefined;
      return isOwnPage(headers) ? cookie.read(headers) : undefined;
    },
    admit({ proof = false, console }, caller) {
      requireConsoleFor(config, caller);
      const looked = consoleSessions.enter(caller.session_id, proof || console === 'proof');
      return looked ? looked.then(() => caller) : caller;
    },
  };
}

/** Throws FORBIDDEN for users, and where CONSOLE_CLIENTS is off for the admins of clients. */
export function requireConsoleFor(
  { CONSOLE_CLIENTS }: Pick<Config, 'CONSOLE_CLIENTS'>,
  { role, operator }: { readonly role: string; readonly operator: boolean },
): void {
  if (role !== 'admin') throw fail('FORBIDDEN', 'The console is for admins');
  if (!operator && CONSOLE_CLIENTS === 'off')
    throw fail('FORBIDDEN', 'The console is for admins of the operator');
}

/** Endpoints for admins, unless they say otherwise; never an endpoint for a key alone. */
const opensToConsole = ({ auth, console = auth === 'admin' }: AnyEndpoint): boolean =>
  console !== false && (auth === 'admin' || auth === 'user' || auth === 'either');
