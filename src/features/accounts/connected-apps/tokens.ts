import { createHash } from 'node:crypto';
import { endKeyOfApp, keepKeyOfApp } from '#features/accounts/keys/keys.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { APP_TOKEN_PREFIX } from '#kernel/access/app-tokens-store.ts';
import { decide } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { AppError } from '#kernel/error.ts';
import { digestOf, newToken } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { isOurs } from './ask.ts';
import type { ConnectedAppDeps } from './deps.ts';
import { oauthRefusal } from './oauth-error.ts';
import {
  type AppGrant,
  closeGrant,
  findApp,
  insertAppTokens,
  lockGrantOfCode,
  lockToken,
  markCodeUsed,
  markTokenUsed,
  setWayIn,
} from './store.ts';

/** What an app gets for a code or for its refresh token. */
export interface TokenPair {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

const ACCESS_LIVES_S = 3600;
const GRANT_LIVES_MS = 90 * 24 * 3600_000;
/** An answer may have been lost: so long a refresh token that was used gives another pair. */
const GRACE_MS = 30_000;

const over = () =>
  oauthRefusal('invalid_grant', 'It is unknown, was used, or has ended: ask the person again');

export interface SentCode {
  readonly client_id: string;
  readonly code: string;
  readonly code_verifier: string;
  readonly redirect_uri?: string | undefined;
  readonly resource?: string | undefined;
}

/** Tokens for the code of a consent. A code that comes twice was seen by others, and ends what came of it. */
export function exchangeCode(
  deps: ConnectedAppDeps,
  db: Db,
  { client_id, code, code_verifier, redirect_uri, resource }: SentCode,
): Promise<TokenPair> {
  requireResource(deps, resource);
  return decide(db, async (tx): Promise<TokenPair | AppError> => {
    const now = deps.clock.now();
    const grant = await lockGrantOfCode(tx, digestOf(code));
    if (!grant || grant.app_id !== client_id) return over();
    if (grant.code_used_at !== null) {
      await endGrant(deps, tx, grant.grant_id);
      return over();
    }
    await markCodeUsed(tx, grant.grant_id, now);
    const isProven = challengeOf(code_verifier) === grant.code_challenge;
    const isThere = redirect_uri === undefined || redirect_uri === grant.redirect_uri;
    const isLate = new Date(grant.expires_at) <= now;
    if (!isProven || !isThere || isLate || grant.ended_at !== null) return over();
    const until = new Date(now.getTime() + GRANT_LIVES_MS);
    await openWayIn(deps, tx, grant, until);
    return givePair(deps, tx, { ...grant, expires_at: until.toISOString() });
  });
}

const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

function requireResource({ publicUrl }: ConnectedAppDeps, resource: string | undefined): void {
  if (resource === undefined || isOurs(resource, publicUrl())) return;
  throw oauthRefusal('invalid_target', 'It gives tokens for the MCP server only');
}

/** A key and a log-in of the person, which end as all of theirs do. Their texts are forgotten at once. */
async function openWayIn(
  deps: ConnectedAppDeps,
  tx: Db,
  grant: AppGrant,
  until: Date,
): Promise<void> {
  const { user_id, client_id, scopes, app_id } = grant;
  const app = await findApp(tx, app_id);
  const key_id = await keepKeyOfApp(tx, {
    app: app?.name ?? app_id,
    user_id,
    client_id,
    scopes: deps.keyScopesOf(scopes),
    created_at: deps.clock.now(),
    expires_at: until,
  });
  const renewable = { token_s: ACCESS_LIVES_S, until };
  const owner = { user_id, client_id, key_id, method: 'app', renewable };
  const { session_id } = await deps.sessions.open(tx, owner);
  await setWayIn(tx, grant, { key_id, session_id, until });
}

async function givePair(
  { clock }: ConnectedAppDeps,
  tx: Db,
  { grant_id, scopes, expires_at }: AppGrant,
): Promise<TokenPair> {
  const ends = new Date(expires_at).getTime();
  const now = clock.now().getTime();
  const expires_in = Math.max(1, Math.min(ACCESS_LIVES_S, Math.floor((ends - now) / 1000)));
  const access_token = APP_TOKEN_PREFIX + newToken().token;
  const refresh_token = `ort_${newToken().token}`;
  await insertAppTokens(tx, grant_id, [
    {
      digest: digestOf(access_token),
      kind: 'access',
      expires_at: new Date(now + expires_in * 1000),
    },
    { digest: digestOf(refresh_token), kind: 'refresh', expires_at: new Date(ends) },
  ]);
  const scope = scopes.join(' ');
  return { access_token, token_type: 'Bearer', expires_in, refresh_token, scope };
}

export interface SentRefresh {
  readonly client_id: string;
  readonly refresh_token: string;
  readonly resource?: string | undefined;
}

/** Another pair. A refresh token that is used again later than a lost answer explains ends the grant. */
export function refreshPair(
  deps: ConnectedAppDeps,
  db: Db,
  { client_id, refresh_token, resource }: SentRefresh,
): Promise<TokenPair> {
  requireResource(deps, resource);
  const digest = digestOf(refresh_token);
  return decide(db, async (tx): Promise<TokenPair | AppError> => {
    const now = deps.clock.now();
    const token = await lockToken(tx, digest);
    if (token?.kind !== 'refresh' || token.app_id !== client_id) return over();
    const isOver = token.ended_at !== null || new Date(token.token_expires_at) <= now;
    if (isOver || !token.log_in_open) return over();
    const { used_at, grant_id } = token;
    if (used_at !== null && now.getTime() - new Date(used_at).getTime() > GRACE_MS) {
      await endGrant(deps, tx, grant_id);
      return over();
    }
    await markTokenUsed(tx, digest, now);
    return givePair(deps, tx, token);
  });
}

/** What RFC 7009 asks for: an unknown token is as good as ended. */
export const revokeToken = (deps: ConnectedAppDeps, db: Db, token: string): Promise<void> =>
  transact(db, async (tx) => {
    const found = await lockToken(tx, digestOf(token));
    if (!found) return;
    await endGrant(deps, tx, found.grant_id);
    const { user_id, client_id, grant_id, app_id } = found;
    const actor = { user_id, client_id };
    await logActivity(tx, { action: 'APP_ENDED', actor, details: { grant_id, app_id, by: 'app' } });
  });

/** Ends a grant with all that came of it; once. */
export async function endGrant(
  { clock, sessions, credentials }: ConnectedAppDeps,
  tx: Db,
  grant_id: string,
): Promise<void> {
  const ended = await closeGrant(tx, grant_id, clock.now());
  if (ended?.session_id) await sessions.revoke(tx, ended.session_id);
  if (ended?.key_id) await endKeyOfApp({ credentials }, tx, ended.key_id);
}
