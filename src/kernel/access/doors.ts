import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { fail } from '../http/error.ts';
import type { ApiKey, Auth, Caller, RewardsCaller, Route, UserCaller } from '../http/route.ts';
import type { Tokens } from '../secrets/jwt.ts';
import type { Identities, KnownKey } from './identity.ts';
import type { KeyUsage } from './key-usage.ts';

declare module 'fastify' {
  interface FastifyRequest {
    key_hash: string | undefined;
  }
}

/** The platform operator's client; its admins reach every client (decisions: Who may do what). */
export const OPERATOR_CLIENT_ID = 1;

export interface Doors {
  /** Proves who is calling, or throws. Runs before the body is read. */
  authenticate(route: Route, request: FastifyRequest): Promise<Caller<Auth>>;
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
      return known ? `key:${known.key_id}` : `ip:${request.ip}`;
    },
    async authenticate(route, request) {
      const { auth, keyOptional = false } = route.endpoint;
      if (auth === 'public') return null;
      const key = await enterKey(request, route, keyOptional);
      if (auth === 'key') return { key: key as ApiKey };
      if (auth === 'rewards') return enterRewards(request, key as ApiKey);
      const caller = await enterUser(request, key);
      if (auth === 'admin' && caller.role !== 'admin')
        throw fail('FORBIDDEN', 'Admin access required');
      return caller;
    },
  };

  async function enterKey(request: FastifyRequest, route: Route, keyOptional: boolean) {
    const sent = sentKey(request);
    if (sent === undefined) {
      if (keyOptional) return null;
      throw fail('API_KEY_MISSING', 'API key is missing');
    }
    const known =
      sent.length > KEY_MAX ? undefined : await identities.findKey(hashOf(request, sent));
    if (!known || (known.expires !== null && known.expires <= clock.now().getTime() / 1000))
      throw fail('API_KEY_INVALID', 'API key is invalid');
    if (!allows(known, route)) throw fail('FORBIDDEN', 'API key lacks the scope for this endpoint');
    usage.used(known.key_id);
    return known;
  }

  async function enterUser(request: FastifyRequest, key: ApiKey | null): Promise<UserCaller> {
    const claims = await tokens.verify(bearer(request), 'platform');
    const session = await identities.findSession(claims.session);
    if (!session || session.revoked || session.user_id !== claims.subject)
      throw fail('TOKEN_INVALID', 'Invalid token');
    if (!session.active) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is not active');
    const { user_id, client_id, role } = session;
    if (client_id === null || role === null) throw fail('TOKEN_INVALID', 'Invalid token');
    const operator = role === 'admin' && client_id === OPERATOR_CLIENT_ID;
    return { key, user_id, client_id, role, operator, session_id: session.session_id };
  }

  async function enterRewards(request: FastifyRequest, key: ApiKey): Promise<RewardsCaller> {
    const claims = await tokens.verify(bearer(request), 'rewards');
    const session = await identities.findSession(claims.session);
    if (!session || session.revoked || session.userx_id !== claims.subject)
      throw fail('TOKEN_INVALID', 'Invalid token');
    if (!session.active) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is deactivated or deleted');
    return { key, userx_id: session.userx_id, session_id: session.session_id };
  }
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

function bearer(request: FastifyRequest): string {
  const sent = request.headers.authorization;
  if (sent === undefined || sent === '')
    throw fail('TOKEN_MISSING', 'Authorization token is missing');
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(sent) ?? [];
  if (token === undefined) throw fail('TOKEN_INVALID', 'Invalid token');
  return token;
}

/** `*` is every area; otherwise `cards:write`, `cards:read` or `cards:*`, by the path's first word. */
function allows({ scopes }: KnownKey, route: Route): boolean {
  if (scopes.includes('*')) return true;
  if (route.endpoint.scope && scopes.includes(route.endpoint.scope)) return true;
  const [method, path = ''] = route.id.split(' ');
  const area = path.split('/')[1] ?? '';
  const right = method === 'GET' ? 'read' : 'write';
  return scopes.includes(`${area}:*`) || scopes.includes(`${area}:${right}`);
}
