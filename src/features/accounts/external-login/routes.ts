import type { PendingChange } from '#features/accounts/pending-changes/pending-changes.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { disconnect, type LinkDeps, link } from './link.ts';
import {
  type ExternalLogInResult,
  type LogInDeps,
  logInExternally,
  loginWallet,
} from './log-in.ts';
import { overviewRoutes } from './overview-routes.ts';
import { invalidRequest, type ProveDeps, proveExternalLogin, sentToken } from './prove.ts';
import {
  DisconnectBody,
  DisconnectedReply,
  LinkBody,
  LinkedReply,
  LinkWalletBody,
  LoggedInReply,
  LogInBody,
  ProposedReply,
  WalletLinkedReply,
} from './schemas.ts';
import { type ExternalUser, walletKey } from './store.ts';
import { targetOf } from './target.ts';

export type ExternalLoginDeps = LogInDeps & LinkDeps & ProveDeps & Pick<Kernel, 'clock' | 'config'>;

const endpoint = endpoints(codedEnvelope);

/** Facts of an end. */
const DISCONNECT_ERRORS = [
  'MISSING_USER_ID',
  'AUTH_NOT_FOUND',
  'USER_NOT_FOUND',
  'CONFIRMATION_REQUIRED',
  'CANNOT_DISCONNECT_PRIMARY',
] as const;

/** Facts of a log-in. */
const LOG_IN_ERRORS = [
  'MISSING_TOKEN',
  'AUTHENTICATION_FAILED',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_EXISTS',
  'CLIENT_NOT_FOUND',
  'LIMIT_EXCEEDED',
  'CONFIRMATION_PENDING',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_NOT_CONFIGURED',
] as const;

/** Facts of a request that links an account or wallet of the provider. */
const LINK_ERRORS = [
  'MISSING_TOKEN',
  'MISSING_USER_ID',
  'AUTHENTICATION_FAILED',
  'USER_NOT_FOUND',
  'MAPPING_EXISTS',
  'WALLET_ALREADY_LINKED',
  'LIMIT_EXCEEDED',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'FRESH_LOGIN_REQUIRED',
  'CONFIRMATION_PENDING',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_NOT_CONFIGURED',
] as const;
const LINK_WALLET_ERRORS = [...LINK_ERRORS, 'NO_WALLET_IN_TOKEN'] as const;

/** Contract part 1, External-login integration. */
export const externalLoginRoutes = (deps: ExternalLoginDeps): Route[] => {
  const routes = [logInRoute(deps), ...linkRoutes(deps), disconnectRoute(deps)];
  return [...routes, ...overviewRoutes(deps, routes)];
};

const logInRoute = (deps: ExternalLoginDeps): Route =>
  endpoint('POST /extauth/auth/login', {
    name: 'externalLogin.logIn',
    auth: 'key',
    errors: LOG_IN_ERRORS,
    summary: "Logs in with the external provider's token; registers new users.",
    body: LogInBody,
    reply: { 200: LoggedInReply },
    invalid: invalidRequest,
    fault: 'External login failed',
    // Not atomic: the call to the provider comes before the transaction.
    async handler({ caller, body, db, request, operation }) {
      const identity = await proveExternalLogin(deps, sentToken(body.ext_token, request));
      const entering = { identity, key: caller.key, request, operation };
      const done = await logInExternally(deps, db, entering);
      return welcome(done, identity.authProvider, identity.extUserId);
    },
  });

function welcome(
  { user, token, is_new_user, verified_at }: ExternalLogInResult,
  method: string,
  id: string,
) {
  const { user_id, username, email, role } = user;
  const auth = { method, ext_user_id: id, verified_at, is_new_user };
  if (token === undefined)
    return {
      message: 'Two-factor authentication required',
      requires_2fa: true,
      data: { user: shown(user), auth },
    };
  const proof = { auth_method: method, ext_user_id: id, verified_at };
  return {
    message: is_new_user ? 'User registered and logged in successfully' : 'Login successful',
    requires_2fa: false,
    data: { user: shown(user), auth, session: { user_id, username, email, role, ...proof }, token },
  };
}

const shown = ({ client_id: _, ...user }: ExternalUser) => user;

const linkRoutes = (deps: ExternalLoginDeps): Route[] => [
  endpoint('POST /extauth/auth/link', {
    name: 'externalLogin.link',
    team: 'people:write',
    auth: 'user',
    errors: LINK_ERRORS,
    summary: 'Links an account of the external provider as a log-in method.',
    body: LinkBody,
    reply: { 200: LinkedReply, 202: ProposedReply },
    invalid: invalidRequest,
    fault: 'Failed to link the external account',
    async handler({ caller, body, db, request, operation }) {
      const target = targetOf(caller, body.user_id);
      const { extUserId, authProvider, ...identity } = await proveExternalLogin(
        deps,
        body.ext_token,
      );
      const way = {
        kind: 'external-login' as const,
        ext_user_id: extUserId,
        auth_provider: authProvider,
        wallet_address: loginWallet({ authProvider, ...identity }),
      };
      const { email } = identity;
      const linking = { target, caller, way, email, proof: body, operation, request };
      const linked = await link(deps, db, linking);
      if ('pending' in linked) return proposed(linked);
      const { user, mapping } = linked;
      return {
        message: 'External account linked successfully',
        data: { user: shown(user), ext_mapping: { ...mapping, created_at: mapping.connected_at } },
        message_detail: `You can now log in with ${mapping.auth_provider}`,
      };
    },
  }),

  endpoint('POST /extauth/auth/link-wallet', {
    name: 'externalLogin.linkWallet',
    team: 'people:write',
    auth: 'user',
    errors: LINK_WALLET_ERRORS,
    summary: 'Links a wallet that the token proves to be the holder’s.',
    body: LinkWalletBody,
    reply: { 200: WalletLinkedReply, 202: ProposedReply },
    invalid: invalidRequest,
    fault: 'Failed to link the wallet',
    async handler({ caller, body, db, request, operation }) {
      const target = targetOf(caller, body.user_id);
      const { extUserId, wallets, email } = await proveExternalLogin(deps, body.ext_token);
      const wallet_address = provenWallet(wallets, body.wallet_address);
      const account = { ext_user_id: extUserId, auth_provider: 'wallet' as const };
      const way = { kind: 'wallet' as const, ...account, wallet_address };
      const linking = { target, caller, way, email, proof: body, operation, request };
      const linked = await link(deps, db, linking);
      if ('pending' in linked) return proposed(linked);
      return {
        message: 'Wallet linked successfully',
        data: {
          user_id: linked.user.user_id,
          wallet_address,
          ...account,
          linked_at: linked.mapping.connected_at,
        },
        instructions: [
          'Log in with this wallet through the external provider from now on',
          'Keep another log-in method connected in case you lose access to the wallet',
        ],
      };
    },
  }),
];

const proposed = ({ user, pending }: { user: ExternalUser; pending: PendingChange }) =>
  at(202, {
    message: 'Linked as soon as the user confirms it by the link that was mailed to them',
    data: { user: shown(user), pending_change: pending },
  });

/** The requested wallet, or the first, in the provider's spelling. */
function provenWallet(wallets: readonly string[], wanted: string | undefined): string {
  const key = wanted === undefined ? undefined : walletKey(wanted.trim());
  const wallet = wallets.find((proven) => key === undefined || walletKey(proven) === key);
  if (wallet !== undefined) return wallet;
  throw fail(
    'NO_WALLET_IN_TOKEN',
    wanted === undefined
      ? 'The external token names no wallet'
      : 'The external token does not prove this wallet',
  );
}

const disconnectRoute = (deps: Pick<LinkDeps, 'clock' | 'notices'>): Route =>
  endpoint('DELETE /extauth/auth/disconnect', {
    name: 'externalLogin.disconnect',
    team: 'people:write',
    auth: 'user',
    errors: DISCONNECT_ERRORS,
    summary: 'Disconnects a log-in method, unless it is the only one.',
    body: DisconnectBody,
    reply: { 200: DisconnectedReply },
    atomic: true,
    invalid: invalidRequest,
    fault: 'Failed to disconnect the external account',
    async handler({ caller, body, db, request }) {
      const target = targetOf(caller, body.user_id);
      const { ext_user_id } = body;
      const gone = await disconnect(deps, db, { target, caller, ext_user_id, request });
      return {
        message: 'External account disconnected successfully',
        data: {
          user_id: gone.user_id,
          disconnected_provider: gone.auth_provider,
          ext_user_id,
          disconnected_at: deps.clock.now().toISOString(),
        },
        security_notice:
          'This account no longer logs you in. Sessions that are open stay open: end those that are not yours.',
      };
    },
  });
