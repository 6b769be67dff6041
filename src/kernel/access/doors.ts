import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { fail } from '../http/error.ts';
import type { ApiKey, Auth, Caller, RewardsCaller, Route, UserCaller } from '../http/route.ts';
import type { Audience, Claims, Tokens } from '../secrets/jwt.ts';
import type { Identities, KnownKey, KnownSession } from './identity.ts';
import type { KeyUsage } from './key-usage.ts';
import { networkOf } from './network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key_hash: string | undefined;
  }
}

/** The platform operator's client; its admins reach every client (decisions: Who may do what). */
export const OPERATOR_CLIENT_ID = 1;

export interface Doors {
  /** Proves who is calling, or throws. Runs before the body is read. */
  authenticate(route: Route, request: FastifyRequest): Caller<Auth> | Promise<Caller<Auth>>;
  /** What a rate limit is counted against: a key that is known, else the address. */
  budgetOf(request: FastifyRequest): string;
}

interface DoorsDeps {
  readonly identities: Identities;
  readonly usage: KeyUsage;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

const KEY_MAX = 200;

/** Order of checks: key, token, role (decisions: Who may do what). */
export function createDoors({ identities, usage, tokens, clock }: DoorsDeps): Doors {
  return {
    budgetOf(request) {
      const sent = sentKey(request);
      const known = sent === undefined ? undefined : identities.recallKey(hashOf(request, sent));
      return known ? `key:${known.key_id}` : `ip:${networkOf(request.ip)}`;
    },
    authenticate(route, request) {
      const { auth, keyOptional = false } = route.endpoint;
      if (auth === 'public') return null;
      const sent = sentKey(request);
      if (sent === undefined && !keyOptional) throw fail('API_KEY_MISSING', 'API key is missing');
      if (sent === undefined) return enter(route, request, null);
      const known = identities.recallKey(hashOf(request, sent));
      if (known) return enter(route, request, admit(known, route));
      return findKey(request, sent).then((found) => enter(route, request, admit(found, route)));
    },
  };

  async function findKey(request: FastifyRequest, sent: string): Promise<KnownKey | undefined> {
    return sent.length > KEY_MAX ? undefined : identities.findKey(hashOf(request, sent));
  }

  function admit(known: KnownKey | undefined, route: Route): ApiKey {
    if (!known || (known.expires !== null && known.expires <= clock.now().getTime() / 1000))
      throw fail('API_KEY_INVALID', 'API key is invalid');
    if (!allows(known, route)) throw fail('FORBIDDEN', 'API key lacks the scope for this endpoint');
    usage.used(known.key_id);
    return known;
  }

  /** What is remembered is answered at once; a promise costs each request more than the checks. */
  function enter({ endpoint: { auth } }: Route, request: FastifyRequest, key: ApiKey | null) {
    if (auth === 'key') return { key: key as ApiKey };
    const audience = auth === 'rewards' ? 'rewards' : 'platform';
    const token = bearer(request);
    const claims = tokens.recall(token, audience);
    const session = claims && identities.recallSession(claims.session);
    if (claims && session) return callerOf(auth, key, claims, session);
    return prove(token, audience).then((proven) =>
      callerOf(auth, key, proven.claims, proven.session),
    );
  }

  async function prove(token: string, audience: Audience) {
    const claims = await tokens.verify(token, audience);
    return { claims, session: await identities.findSession(claims.session) };
  }
}

/** Whoever the session belongs to, if it is still one and the role is enough. */
function callerOf(
  auth: Auth,
  key: ApiKey | null,
  claims: Claims,
  session: KnownSession | undefined,
): UserCaller | RewardsCaller {
  const owner = auth === 'rewards' ? session?.userx_id : session?.user_id;
  if (!session || session.revoked || owner !== claims.subject)
    throw fail('TOKEN_INVALID', 'Invalid token');
  const { session_id, client_id, role, active } = session;
  if (auth === 'rewards') {
    if (!active) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is deactivated or deleted');
    return { key: key as ApiKey, userx_id: owner, session_id };
  }
  if (!active) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is not active');
  if (client_id === null || role === null) throw fail('TOKEN_INVALID', 'Invalid token');
  if (auth === 'admin' && role !== 'admin') throw fail('FORBIDDEN', 'Admin access required');
  const operator = role === 'admin' && client_id === OPERATOR_CLIENT_ID;
  return { key, user_id: owner, client_id, role, operator, session_id };
}

/** Kept with the request, which asks for it twice. */
function hashOf(request: FastifyRequest, key: string): string {
  request.key_hash ??= hash('sha256', key, 'hex');
  return request.key_hash;
}

function sentKey(request: FastifyRequest): string | undefined {
  const sent = request.headers['x-api-key'];
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

/** RFC 9110 lets more than one space stand before a token. */
const BEARER = /^Bearer +[\w.~+/=-]+$/i;

function bearer(request: FastifyRequest): string {
  const sent = request.headers.authorization;
  if (sent === undefined || sent === '')
    throw fail('TOKEN_MISSING', 'Authorization token is missing');
  if (!BEARER.test(sent)) throw fail('TOKEN_INVALID', 'Invalid token');
  return sent.slice('Bearer '.length).trimStart();
}

/** `*` is every area; otherwise `users:write`, `users:read` or `users:*`, by the path's first word. */
function allows({ scopes }: KnownKey, route: Route): boolean {
  if (scopes.includes('*')) return true;
  if (route.endpoint.scope && scopes.includes(route.endpoint.scope)) return true;
  const [method, path = ''] = route.id.split(' ');
  const area = path.split('/')[1] ?? '';
  const right = method === 'GET' ? 'read' : 'write';
  return scopes.includes(`${area}:*`) || scopes.includes(`${area}:${right}`);
}
