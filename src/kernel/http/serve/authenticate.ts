import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { byAddress, type Limits, limitOf } from '#kernel/http/answer/limits.ts';
import { paidWorkOf } from '#kernel/http/answer/paid-work.ts';
import type { Auth, Caller, Route, UserCaller } from '#kernel/http/declare/route.ts';
import type { Authenticator } from '../../access/authenticator.ts';
import type { KnownKey } from '../../access/credential-cache.ts';
import { networkOf } from '../../network.ts';
import { VERSION_HEADER, type Versions } from './versions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Nothing where no declaration answers. Fastify knows none of ours: see createServer. */
    route?: Route;
    caller: Caller<Auth>;
    /** The key that came along, where it is one, also of who is refused for something else. */
    known_key?: KnownKey;
    /** For its line: the code of the error it was answered with. */
    code?: string;
    /** Which operation it is, where anything was done under that name. */
    operation?: string;
    /** Whether it was answered with what an earlier one was. */
    replayed?: true;
    trace_id?: string | undefined;
  }
}

type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;
interface AuthenticateDeps {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly versions: Versions;
}
type MaybeKey = KnownKey | undefined;

/**
 * Rate limit, key, token, role: in this order, before the body is read. Cached
 * credentials are checked synchronously: a promise would cost each request more than the checks.
 */
export function authenticationOf(route: Route, deps: AuthenticateDeps): Authenticate {
  const enter = checksOf(route, deps);
  return (request, reply, done) => {
    request.route = route;
    let entered: undefined | Promise<void>;
    try {
      entered = enter(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (entered) entered.then(() => done(), done);
    else done();
  };
}

function checksOf(route: Route, { authenticator, limits, versions }: AuthenticateDeps) {
  const { endpoint } = route;
  const { auth } = endpoint;
  const paidWork = paidWorkOf(route, limits);
  const keyOf = keyFinder({ authenticator, limits });
  const { spend, payAlone } = spendersOf(route, { authenticator, limits });

  // Each step goes on at once where nothing has to be waited for, and makes no function for it.
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller<Auth>) => {
    endpoint.permit?.(caller);
    request.caller = caller;
    const version = request.headers[VERSION_HEADER] ?? caller?.key?.api_version;
    if (version !== undefined && version !== versions.newest)
      versions.use(request, reply, route, String(version));
    return paidWork?.check(request, reply);
  };

  const prove = (request: FastifyRequest, reply: FastifyReply, key: MaybeKey) => {
    const caller = authenticator.authenticate(route, request, key);
    if (caller instanceof Promise) return caller.then((found) => enter(request, reply, found));
    return enter(request, reply, caller);
  };

  const enter = (request: FastifyRequest, reply: FastifyReply, caller: Caller<Auth>) => {
    const spent = isAtConsole(caller) ? payAlone(request, reply, caller) : undefined;
    return spent ? spent.then(() => admit(request, reply, caller)) : admit(request, reply, caller);
  };

  const pay = (request: FastifyRequest, reply: FastifyReply, key: MaybeKey) => {
    if (key) request.known_key = key;
    const spent = spend(request, reply, key);
    return spent ? spent.then(() => prove(request, reply, key)) : prove(request, reply, key);
  };

  return (request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> => {
    const key = auth === 'public' ? undefined : keyOf(request, reply);
    if (key instanceof Promise) return key.then((found) => pay(request, reply, found));
    return pay(request, reply, key);
  };
}

type Payers = Omit<AuthenticateDeps, 'versions'>;

function spendersOf(route: Route, { authenticator, limits }: Payers) {
  const { auth } = route.endpoint;
  const limit = limitOf(route);
  return {
    spend(request: FastifyRequest, reply: FastifyReply, key: MaybeKey) {
      if (key) {
        const below = { address: networkOf(request.ip), client_id: key.client_id };
        return limits.spend({ limit, by: 'key', id: key.key_id, below }, reply);
      }
      // A key that does not exist has been paid for.
      if (auth !== 'public' && authenticator.holdsKey(request)) return undefined;
      return limits.spend(byAddress(limit, request.ip), reply);
    },
    /** At the console a user pays, once it is known who that is; until then the address has. */
    payAlone({ ip }: FastifyRequest, reply: FastifyReply, { user_id }: UserCaller) {
      void limits.refund(byAddress(limit, ip));
      return limits.spend({ limit, by: 'user', id: user_id }, reply);
    },
  };
}

const isAtConsole = (caller: Caller<Auth>): caller is UserCaller =>
  caller !== null && 'via' in caller && caller.via === 'console';

/**
 * A key that this process has not seen is looked up at the cost of the address, so that a caller
 * who makes keys up pays for each. One that exists counts for itself alone.
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
