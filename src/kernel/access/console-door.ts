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
  readonly config: Pick<Config, 'CONSOLE' | 'PUBLIC_URL'>;
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
    admit({ proof = false }, caller) {
      if (!caller.operator) throw fail('FORBIDDEN', 'The console is for admins of the operator');
      const looked = consoleSessions.enter(caller.session_id, proof);
      return looked ? looked.then(() => caller) : caller;
    },
  };
}

/** Endpoints for admins, unless they say otherwise; never an endpoint for a key alone. */
const opensToConsole = ({ auth, console = auth === 'admin' }: AnyEndpoint): boolean =>
  console !== false && (auth === 'admin' || auth === 'user');
