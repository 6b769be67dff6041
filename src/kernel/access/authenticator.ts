import type { FastifyRequest } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import {
  hintOfMissingKey,
  hintOfWrongKey,
  hintOfWrongToken,
} from '#kernel/secrets/credential-hints.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { type Code, fail } from '../error.ts';
import type { ApiKey } from '../http/declare/api-key.ts';
import type {
  AnyEndpoint,
  Auth,
  Caller,
  RewardsCaller,
  Route,
  UserCaller,
} from '../http/declare/route.ts';
import type { TeamMark } from '../http/declare/team-mark.ts';
import type { Audience, Claims, Tokens } from '../secrets/jwt.ts';
import { appTokenOf, createAppDoor } from './app-door.ts';
import type { ConsoleDoor } from './console-door.ts';
import type { CredentialCache, KnownKey, KnownSession } from './credential-cache.ts';
import { hashOn } from './key-hash.ts';
import type { KeyUsage } from './key-usage.ts';
import { clientStopped } from './open-clients.ts';
import type { OperatorGuard } from './operator-guard.ts';
import { requireKeyRole, requireTeamRole } from './team.ts';

/** The platform operator's client; its admins reach every client (decisions: Who may do what). */
export const OPERATOR_CLIENT_ID = 1;

export interface Authenticator {
  /** Whether the request has an API key, valid or not. */
  holdsKey(request: FastifyRequest): boolean;
  /** The request's key, where it is cached. */
  cachedKey(request: FastifyRequest): KnownKey | undefined;
  /** The same from the database. */
  findKey(request: FastifyRequest): Promise<KnownKey | undefined>;
  /** Proves the caller by that key and the token, or throws. Runs before the body is read. */
  authenticate(
    route: Route,
    request: FastifyRequest,
    key: KnownKey | undefined,
  ): Caller<Auth> | Promise<Caller<Auth>>;
}

interface AuthenticatorDeps {
  readonly db: Db;
  readonly credentials: CredentialCache;
  readonly keyUsage: KeyUsage;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly consoleDoor: ConsoleDoor;
  readonly operatorGuard: OperatorGuard;
  readonly config: Pick<Config, 'MOCK_MODE'>;
}

interface Proven {
  readonly claims: Claims;
  readonly session: KnownSession | undefined;
}

const KEY_MAX = 200;

/** Order of checks: key, token, role (decisions: Who may do what). */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { config, credentials, operatorGuard } = deps;
  const { recalled, prove } = provers(deps);
  const enterByCookie = cookieReader(deps);
  const apps = createAppDoor(deps);
  return {
    holdsKey: (request) => sentKey(request) !== undefined || appTokenOf(request) !== undefined,
    cachedKey(request) {
      const sent = sentKey(request);
      return sent === undefined ? undefined : credentials.cachedKey(hashOn(request.socket, sent));
    },
    async findKey(request) {
      const sent = sentKey(request);
      if (sent === undefined) return apps.findKey(request);
      if (sent.length > KEY_MAX) return undefined;
      return credentials.findKey(hashOn(request.socket, sent));
    },
    authenticate(route, request, key) {
      const { auth, keyOptional = false } = route.endpoint;
      if (auth === 'public') return null;
      if (key || sentKey(request) !== undefined)
        return enter(route, request, admit(deps, key, route, request));
      if (appTokenOf(request) !== undefined) throw wrongToken('');
      const isCookies = !keyOptional || deps.consoleDoor.tokenOf(route.endpoint, request);
      return isCookies ? enterByCookie(route, request) : enter(route, request, null);
    },
  };

  /** Answers at once where the token is cached: a promise costs each request more than the checks. */
  function enter({ endpoint }: Route, request: FastifyRequest, key: ApiKey | null) {
    const { auth } = endpoint;
    if (comesAlone(auth, request)) return { key: key as ApiKey };
    if (appTokenOf(request) !== undefined)
      return apps.prove(request).then((proven) => letIn(endpoint, key, proven));
    const audience = auth === 'rewards' ? 'rewards' : 'platform';
    const token = sentToken(request);
    const remembered = recalled(token, audience);
    if (remembered) return letIn(endpoint, key, remembered);
    // Only verified tokens are cached, so the form of others alone needs a check.
    if (!TOKEN.test(token)) throw wrongToken(token);
    return prove(token, audience).then((proven) => letIn(endpoint, key, proven));
  }

  function letIn(endpoint: AnyEndpoint, key: ApiKey | null, { claims, session }: Proven) {
    const caller = callerOf(endpoint, key, claims, session);
    if (!session || !('client_id' in caller)) return caller;
    if (caller.key) requireSameClient(config, caller.key, caller.client_id);
    const looked = operatorGuard.admit(endpoint, caller, session);
    return looked ? looked.then(() => caller) : caller;
  }
}

/** The operator's admins at the console, whose cookie stands for key and token. */
function cookieReader(deps: AuthenticatorDeps) {
  const { consoleDoor, operatorGuard } = deps;
  const { recalled, prove } = provers(deps);
  return async ({ endpoint }: Route, request: FastifyRequest): Promise<UserCaller> => {
    const token = consoleDoor.tokenOf(endpoint, request);
    if (token === undefined) throw keyMissing(request);
    const { claims, session } = recalled(token, 'console') ?? (await prove(token, 'console'));
    const user = callerOf(
      { auth: 'admin', team: endpoint.team },
      null,
      claims,
      session,
    ) as UserCaller;
    const caller = { ...user, via: 'console' } as const;
    if (session) await operatorGuard.admit(endpoint, caller, session);
    return consoleDoor.admit(endpoint, caller);
  };
}

/** The log-in of a token: from the cache, or verified. */
function provers({ tokens, credentials }: Pick<AuthenticatorDeps, 'tokens' | 'credentials'>) {
  return {
    recalled(token: string, audience: Audience): Proven | undefined {
      const claims = tokens.cachedClaims(token, audience);
      const session = claims && credentials.cachedSession(claims.session);
      return session && { claims, session };
    },
    async prove(token: string, audience: Audience): Promise<Proven> {
      const claims = await tokens.verify(token, audience);
      return { claims, session: await credentials.findSession(claims.session) };
    },
  };
}

function admit(
  { clock, keyUsage }: AuthenticatorDeps,
  known: KnownKey | undefined,
  route: Route,
  request: FastifyRequest,
): ApiKey {
  if (!known || (known.expires !== null && known.expires <= clock.now().getTime() / 1000))
    throw keyInvalid(sentKey(request) ?? '');
  if (!known.open) throw clientStopped();
  if (!allows(known, route)) throw fail('FORBIDDEN', 'API key lacks the scope for this endpoint');
  requireKeyRole(route.endpoint, known);
  keyUsage.record(known.key_id, request.ip);
  return known;
}

/** The one client that a key serves: whose user made it. Undefined for the operator's, and for an application's. */
export function clientOfKey({ user_id, client_id }: ApiKey): number | undefined {
  const isBound = user_id !== null && client_id !== null && client_id !== OPERATOR_CLIENT_ID;
  return isBound ? client_id : undefined;
}

/**
 * Throws FORBIDDEN where such a key comes with the log-in of another client's user: neither may act for the
 * other. Not in mock mode (decisions: modes).
 */
export function requireSameClient(
  { MOCK_MODE }: Pick<Config, 'MOCK_MODE'>,
  key: ApiKey,
  client_id: number,
): void {
  if (MOCK_MODE || (clientOfKey(key) ?? client_id) === client_id) return;
  throw fail('FORBIDDEN', 'API key and log-in are of different organisations', {
    hint: 'Send a key that the organisation of the user has made, or one of POST /keys/generate-sdk-key.',
  });
}

/** A failure with a better hint than its code's, where the input shows what was meant. */
const helped = (code: Code, message: string, hint: string | undefined) =>
  fail(code, message, hint === undefined ? {} : { hint });
const keyMissing = ({ headers }: FastifyRequest) =>
  helped('API_KEY_MISSING', 'API key is missing', hintOfMissingKey(headers));
const keyInvalid = (sent: string) =>
  helped('API_KEY_INVALID', 'API key is invalid', hintOfWrongKey(sent));
const wrongToken = (sent: string) =>
  helped('TOKEN_INVALID', 'Invalid token', hintOfWrongToken(sent));

/** A request without a log-in where none is needed. */
const comesAlone = (auth: Auth, { headers }: FastifyRequest): boolean =>
  auth === 'key' || (auth === 'either' && (headers.authorization ?? '') === '');

interface Asked extends Pick<AnyEndpoint, 'auth' | 'endsLogIn'> {
  readonly team?: TeamMark | undefined;
}

/** The user of the session, where it is still open and the role suffices, at the client and in its team. */
function callerOf(
  { auth, endsLogIn, team }: Asked,
  key: ApiKey | null,
  claims: Claims,
  session: KnownSession | undefined,
): UserCaller | RewardsCaller {
  const owner = auth === 'rewards' ? session?.userx_id : session?.user_id;
  const isOver = session?.revoked === true && endsLogIn === undefined;
  if (!session || isOver || owner !== claims.subject) throw fail('TOKEN_INVALID', 'Invalid token');
  const { session_id, client_id, role, active, open, closing } = session;
  if (auth === 'rewards') {
    if (!active) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is deactivated or deleted');
    return { key: key as ApiKey, userx_id: owner, session_id };
  }
  if (!active) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is not active');
  if (!open) throw clientStopped();
  if (client_id === null || role === null) throw fail('TOKEN_INVALID', 'Invalid token');
  if (auth === 'admin' && role !== 'admin') throw fail('FORBIDDEN', 'Admin access required');
  const operator = role === 'admin' && client_id === OPERATOR_CLIENT_ID;
  const team_role = role === 'admin' ? (session.team_role ?? 'owner') : undefined;
  requireTeamRole({ team }, team_role);
  const user = { user_id: owner, client_id, role, team_role, operator, session_id, closing };
  return { via: 'key', key, ...user };
}

function sentKey(request: FastifyRequest): string | undefined {
  const sent = request.headers['x-api-key'];
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

/** RFC 9110: the scheme in any case, then at least one space; nearly all write it the first way. */
const USUAL_SCHEME = 'Bearer ';
const SCHEME = /^Bearer +/i;
/** Three parts in base64url; nothing else was ever signed. */
const TOKEN = /^[\w-]+(?:\.[\w-]+){2}$/;

/** The text in the place of a token, valid or not. */
function sentToken(request: FastifyRequest): string {
  const sent = request.headers.authorization;
  if (sent === undefined || sent === '')
    throw fail('TOKEN_MISSING', 'Authorization token is missing');
  if (sent.startsWith(USUAL_SCHEME) && sent[USUAL_SCHEME.length] !== ' ')
    return sent.slice(USUAL_SCHEME.length);
  const [scheme] = SCHEME.exec(sent) ?? [];
  if (scheme === undefined) throw wrongToken(sent);
  return sent.slice(scheme.length);
}

/** `*` is every area; otherwise `users:write`, `users:read` or `users:*`, by the path's first word. */
export function allows({ scopes }: Pick<KnownKey, 'scopes'>, route: Route): boolean {
  if (scopes.includes('*')) return true;
  if (route.endpoint.scope && scopes.includes(route.endpoint.scope)) return true;
  const [method, path = ''] = route.id.split(' ');
  const area = path.split('/')[1] ?? '';
  const right = method === 'GET' ? 'read' : 'write';
  return scopes.includes(`${area}:*`) || scopes.includes(`${area}:${right}`);
}
