import type { FastifyReply, FastifyRequest } from 'fastify';
import { byAddress, type Limits, limitOf } from '#kernel/http/answer/limits.ts';
import { paidWorkOf } from '#kernel/http/answer/paid-work.ts';
import type { Auth, Caller, Route, UserCaller } from '#kernel/http/declare/route.ts';
import type { Authenticator } from '../../access/authenticator.ts';
import type { KnownKey } from '../../access/credential-cache.ts';
import type { ChangedObject } from '../../cause.ts';
import { fail } from '../../error.ts';
import { networkOf } from '../../network.ts';
import { API_PREFIX, RESOURCE_FILE } from '../declare/prefix.ts';
import { VERSION_HEADER, type Versions } from './versions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where no declaration answers. Fastify knows none of our fields: see createServer. */
    route?: Route;
    caller: Caller<Auth>;
    /** The request's API key where it exists, also where the request is refused for another reason. */
    known_key?: KnownKey;
    /** The code of its error, for the log line. */
    code?: string;
    /** The operation that the request has begun. */
    operation?: string;
    /** The first object that the request has made or changed. */
    changed?: ChangedObject;
    /** The answer is that of an earlier request with the same key. */
    replayed?: true;
    trace_id?: string | undefined;
  }
}

interface AuthenticateDeps {
  publicUrl(): string;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly versions: Versions;
}
type MaybeKey = KnownKey | undefined;

/**
 * Rate limit, key, token, role: in this order, before the body is read. A request whose credentials are cached goes
 * through without a wait: `await` stands only behind a promise that is there.
 */
export function authenticationOf(
  route: Route,
  { authenticator, limits, versions, publicUrl }: AuthenticateDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const { endpoint } = route;
  const paidWork = paidWorkOf(route, limits);
  const keyOf = keyFinder({ authenticator, limits });
  const { spend, spendAtConsole, elsewhere } = spendersOf(route, { authenticator, limits });

  return async (request, reply) => {
    if (endpoint.opensToApps) reply.header('www-authenticate', appChallenge(route, publicUrl()));
    request.route = route;
    const sent = endpoint.auth === 'public' ? undefined : keyOf(request, reply);
    const key = sent instanceof Promise ? await sent : sent;
    if (key) request.known_key = key;
    if (key?.admits && !key.admits(request.ip)) throw await elsewhere(request, reply);
    const spent = spend(request, reply, key);
    if (spent) await spent;
    const proven = authenticator.authenticate(route, request, key);
    const caller = proven instanceof Promise ? await proven : proven;
    if (isAtConsole(caller)) await spendAtConsole(request, reply, caller);
    endpoint.permit?.(caller);
    request.caller = caller;
    const version = request.headers[VERSION_HEADER] ?? caller?.key?.api_version;
    if (version !== undefined && version !== versions.newest)
      versions.use(request, reply, route, String(version));
    if (paidWork) await paidWork.check(request, reply);
    if (endpoint.opensToApps) reply.removeHeader('www-authenticate');
  };
}

/** Where an app without a token learns who gives one (RFC 9728), until it is let in. */
const appChallenge = ({ id }: Route, here: string): string =>
  `Bearer resource_metadata="${here}${RESOURCE_FILE}${API_PREFIX}${id.slice(id.indexOf(' ') + 1)}"`;

type Payers = Omit<AuthenticateDeps, 'versions' | 'publicUrl'>;

function spendersOf(route: Route, { authenticator, limits }: Payers) {
  const { auth } = route.endpoint;
  const limit = limitOf(route);
  return {
    spend(request: FastifyRequest, reply: FastifyReply, key: MaybeKey) {
      if (key) {
        const below = { address: networkOf(request.ip), client_id: key.client_id };
        const own = key.rate_per_minute;
        return limits.spend({ limit, by: 'key', id: key.key_id, below, own }, reply);
      }
      // The look-up of a key that does not exist has been paid for.
      if (auth !== 'public' && authenticator.holdsKey(request)) return undefined;
      return limits.spend(byAddress(limit, request.ip), reply);
    },
    /** A key that is used from elsewhere spends nothing of its owner's: the address pays, and nothing more is looked at. */
    async elsewhere({ ip }: FastifyRequest, reply: FastifyReply) {
      await limits.spend(byAddress(limit, ip), reply);
      return fail('IP_NOT_ALLOWED', 'API key may not be used from this address', {
        hint: `The request came from ${ip}; the key's allowed_ips do not have it.`,
      });
    },
    /** At the console the user pays once the cookie has named one; until then the address has. */
    spendAtConsole({ ip }: FastifyRequest, reply: FastifyReply, { user_id }: UserCaller) {
      void limits.refund(byAddress(limit, ip));
      return limits.spend({ limit, by: 'user', id: user_id }, reply);
    },
  };
}

const isAtConsole = (caller: Caller<Auth>): caller is UserCaller =>
  caller !== null && 'via' in caller && caller.via === 'console';

/**
 * A key that this process has not seen is looked up at the cost of the address, so that a caller
 * pays for each made-up key. A key that exists counts for itself alone.
 */
function keyFinder({ authenticator, limits }: Payers) {
  const lookUpKey = async (request: FastifyRequest, reply: FastifyReply): Promise<MaybeKey> => {
    const lookUp = byAddress('authenticated', request.ip);
    await limits.spend(lookUp, reply);
    let madeUp = false;
    try {
      const found = await authenticator.findKey(request);
      madeUp = found === undefined;
      return found;
    } finally {
      if (!madeUp) void limits.refund(lookUp);
    }
  };
  return (request: FastifyRequest, reply: FastifyReply): MaybeKey | Promise<MaybeKey> => {
    const known = authenticator.cachedKey(request);
    return known || !authenticator.holdsKey(request) ? known : lookUpKey(request, reply);
  };
}
