import { createHash } from 'node:crypto';
import type { PendingChanges } from '#features/accounts/pending-changes/pending-changes.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import type { LoginCodes } from '#features/accounts/two-factor/two-factor.ts';
import { emitUser, insertUser } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { OPERATOR_CLIENT_ID, requireSameClient } from '#kernel/access/authenticator.ts';
import { clientStopped } from '#kernel/access/open-clients.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { SIGN_UPS } from '#kernel/quota/sign-ups.ts';
import { transact } from '#kernel/transact.ts';
import type { ExternalIdentity } from '#providers/extauth/port.ts';
import { emitIdentities } from './events.ts';
import {
  type ExternalUser,
  findClientOfIdentity,
  insertIdentity,
  insertMapping,
  type LoginState,
  lockIdentity,
  lockIdentityOwner,
  recordUse,
} from './store.ts';

export type LogInDeps = Pick<Kernel, 'clock' | 'config' | 'sessions' | 'quotas'> & {
  readonly codes: LoginCodes;
  readonly notices: SecurityNotices;
  readonly changes: PendingChanges;
  /** Attributes of every new user. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
};

/** The caller of a log-in and its method. */
export interface ExternalLogIn {
  readonly identity: ExternalIdentity;
  readonly key: ApiKey;
  readonly request: RequestFacts;
  readonly operation: string;
}

export interface ExternalLogInResult {
  readonly user: ExternalUser;
  readonly is_new_user: boolean;
  readonly verified_at: string;
  /** Missing where a second factor is still required. */
  readonly token?: string;
}

/**
 * Logs in the user whom the provider has identified, and first registers one for an unknown account (contract part 1,
 * External-login). Concurrent first log-ins create one user. Throws ACCOUNT_EXISTS, ACCOUNT_NOT_ACTIVE,
 * CONFIRMATION_PENDING and CLIENT_NOT_FOUND.
 */
export function logInExternally(
  deps: LogInDeps,
  db: Db,
  entering: ExternalLogIn,
): Promise<ExternalLogInResult> {
  const { identity, key, request } = entering;
  const { extUserId: ext_user_id, authProvider: method } = identity;
  return transact(db, async (tx) => {
    await lockIdentity(tx, ext_user_id);
    const owner = await lockIdentityOwner(tx, ext_user_id);
    const user = owner ?? (await register(deps, tx, entering));
    refuseInactive(user);
    const { user_id, client_id } = user;
    requireSameClient(deps.config, key, client_id);
    const at = deps.clock.now();
    await recordUse(tx, { ext_user_id, method, at });
    const known = { user, is_new_user: !owner, verified_at: at.toISOString() };
    const { key_id } = key;
    if (user.twofa_enabled) {
      await deps.codes.openChallenge(tx, { user_id, key_id, ip: request.ip });
      return known;
    }
    const session = { user_id, key_id, method: 'external', request };
    const { token } = await deps.sessions.open(tx, session);
    return { ...known, token };
  });
}

function refuseInactive({ user_status, rejected, client_open }: LoginState): void {
  if (user_status !== 'ACTIVE') throw fail('ACCOUNT_NOT_ACTIVE', 'Account is not active');
  if (!client_open) throw clientStopped();
  if (rejected) throw fail('ACCOUNT_NOT_ACTIVE', 'Account verification has been rejected');
}

async function register(deps: LogInDeps, tx: Db, entering: ExternalLogIn): Promise<LoginState> {
  const { identity, key, request, operation } = entering;
  const { extUserId: ext_user_id, authProvider: auth_provider } = identity;
  if (await deps.changes.isPending(tx, ext_user_id))
    throw fail('CONFIRMATION_PENDING', 'The user has not confirmed this link yet');
  await deps.quotas.spend(tx, SIGN_UPS.externalUser, requesterOf({ key }, request));
  // ACTIVE and without a password.
  const user = await insertUser(tx, await newUser(tx, identity, key));
  // The same address proves nothing about the account here: its owner logs in to link.
  if (!user) throw accountExists('e-mail address');
  const { user_id, client_id } = user;
  const mapping =
    (await insertIdentity(tx, ext_user_id, user_id)) &&
    (await insertMapping(tx, {
      ext_user_id,
      user_id,
      auth_provider,
      wallet_address: loginWallet(identity),
      is_primary: true,
      by_registration: true,
      operation,
      connected_at: deps.clock.now().toISOString(),
    }));
  if (!mapping) throw accountExists('wallet');
  await emitUser(tx, 'created', user_id);
  await emitIdentities(tx, 'linked', [mapping]);
  await deps.afterUser(tx, { user_id, client_id });
  await logActivity(tx, {
    action: 'EXTERNAL_LOGIN_REGISTERED',
    actor: user,
    subject_user_id: user_id,
    details: { ext_user_id, auth_provider },
    request,
  });
  await deps.notices.sendDue(tx, user_id);
  return { ...user, twofa_enabled: false, rejected: false, client_open: true };
}

const accountExists = (what: string) =>
  fail('ACCOUNT_EXISTS', `An account with this ${what} exists: log in to it and link this method`);

/** A new user belongs to the API key's client; an anonymous key's to the operator's. */
async function newUser(tx: Db, identity: ExternalIdentity, key: ApiKey) {
  const client = await findClientOfIdentity(tx, key.client_id ?? OPERATOR_CLIENT_ID);
  if (!client)
    throw fail(
      'CLIENT_NOT_FOUND',
      'This API key belongs to no client, so it cannot register users',
    );
  return {
    client_id: client.client_id,
    username: usernameOf(identity),
    email: identity.email ?? placeholderEmail(identity.extUserId),
    psp_id: client.psp_id === null ? null : String(client.psp_id),
  };
}

/** The wallet of the log-in; a log-in by another method links wallets on request. */
export const loginWallet = ({
  authProvider,
  wallets,
}: Pick<ExternalIdentity, 'authProvider' | 'wallets'>): string | null =>
  authProvider === 'wallet' ? (wallets[0] ?? null) : null;

const shortHash = (ext_user_id: string): string =>
  createHash('sha256').update(ext_user_id).digest('hex').slice(0, 32);

/** Every user has an address; no mailbox ever receives mail for `.invalid` (RFC 2606). */
const placeholderEmail = (ext_user_id: string): string =>
  `ext-${shortHash(ext_user_id)}@external.invalid`;

const NAME_MAX = 64;

function usernameOf({ email, displayName, extUserId }: ExternalIdentity): string {
  const given = email?.split('@')[0] ?? displayName ?? '';
  // Foreign text: no control characters, and no `@`, which marks an e-mail at log-in.
  const clean = given
    .replace(/[\p{C}@]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const name = [...clean].slice(0, NAME_MAX).join('').trim();
  return name || `ext-${shortHash(extUserId).slice(0, 8)}`;
}
