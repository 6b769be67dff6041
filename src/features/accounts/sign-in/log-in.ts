import type {
  PasswordGuesses,
  PasswordTry,
} from '#features/accounts/password-guesses/password-guesses.ts';
import type { LoginCodes } from '#features/accounts/two-factor/two-factor.ts';
import { useTemporary } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { type Attempts, accountOf, decide } from '#kernel/access/attempts.ts';
import { OPERATOR_CLIENT_ID, requireSameClient } from '#kernel/access/authenticator.ts';
import { requireConsoleFor } from '#kernel/access/console-door.ts';
import { clientStopped } from '#kernel/access/open-clients.ts';
import { SETTING_UP } from '#kernel/access/operator-guard.ts';
import type { OpenedSession } from '#kernel/access/sessions.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { findCandidates, findLogin, holdStanding, holdTried, type Login } from './store.ts';

export type PasswordLogInDeps = Pick<
  Kernel,
  'clock' | 'config' | 'steadyTiming' | 'passwords' | 'sessions'
> & {
  readonly attempts: Attempts;
  readonly guesses: PasswordGuesses;
  readonly codes: LoginCodes;
};

/** A log-in request and its origin. */
export interface SignIn {
  /** Null at the console. */
  readonly key: ApiKey | null;
  readonly request: RequestFacts;
  /** An app is let in instead of the person: what it gets. */
  readonly openForApp?: (tx: Db, login: Login) => Promise<OpenedSession>;
}

export interface PasswordLogIn {
  readonly login: Login;
  readonly token: string;
  readonly lives_s: number;
  /** The proof, as the session records it. */
  readonly method: string;
}
/** No token while a second factor is missing. */
export type HalfLoggedIn = Pick<PasswordLogIn, 'login'> & Partial<PasswordLogIn>;

interface LogInRequest {
  readonly name: string;
  readonly password: string;
}

/**
 * Checks a password (contract part 1, Login). The password decides among several users of one name. The duration does
 * not show how many users there are, or whether there is any.
 */
export const logInByPassword = (
  deps: PasswordLogInDeps,
  db: Db,
  entering: SignIn,
  sent: LogInRequest,
): Promise<HalfLoggedIn> => deps.steadyTiming(() => provePassword(deps, db, entering, sent));

async function provePassword(
  deps: PasswordLogInDeps,
  db: Db,
  entering: SignIn,
  { name, password }: LogInRequest,
): Promise<HalfLoggedIn> {
  const { guesses, clock } = deps;
  const { ip } = entering.request;
  const { client_id } = entering.key ?? { client_id: OPERATOR_CLIENT_ID };
  const guessing = guesses.valuesFor(name, ip);
  const found = await findCandidates(db, name, { client_id, now: clock.now(), guessing });
  const open = guesses.freeOf(found.map((row) => guesses.tryOf(row, ip)));
  const tried = found.flatMap(({ user_id, login }) =>
    login && open.some((one) => one.user_id === user_id) ? [login] : [],
  );
  const login = await accountsOf(deps, tried, password, ip);
  const meant = login ? open.filter(({ user_id }) => user_id === login.user_id) : open;
  return decide(db, async (tx) =>
    login
      ? enter(deps, tx, { entering, login, meant, guessing })
      : refuse(deps, tx, await guesses.admit(tx, meant)),
  );
}

interface Entering {
  readonly entering: SignIn;
  readonly login: Login;
  readonly meant: readonly PasswordTry[];
  readonly guessing: readonly unknown[];
}

async function enter(
  deps: PasswordLogInDeps,
  tx: Db,
  { entering, login, meant, guessing }: Entering,
): Promise<HalfLoggedIn | AppError> {
  const { key, request } = entering;
  const { user_id } = login;
  await deps.guesses.hold(tx, meant);
  const standing = await holdTried(tx, user_id, guessing);
  const held = standing ? deps.guesses.freeOf([deps.guesses.tryOf(standing, request.ip)]) : [];
  // The password may have changed during the check.
  if (standing?.password_hash !== login.password_hash) return refuse(deps, tx, held);
  refuseInactive(login, standing.user_status);
  requireAdmitted(deps, entering, login);
  if (!standing.twofa_enabled)
    return openSession(deps, tx, { login, method: 'password', entering });
  await deps.codes.openChallenge(tx, { user_id, key_id: key?.key_id ?? null, ip: request.ip });
  return { login };
}

/** Counts the failure for all users of the name. */
async function refuse(
  { guesses }: PasswordLogInDeps,
  tx: Db,
  tries: readonly PasswordTry[],
): Promise<AppError> {
  await guesses.recordFailures(tx, tries);
  return fail('INVALID_CREDENTIALS', 'Invalid credentials');
}

export interface SecondStep {
  readonly user_id: number;
  readonly code: string;
}

/**
 * Finishes a log-in whose password was proven with the same API key, or at the console, in the same network (contract
 * part 1, Login). One look finds that none waits, in the same time for all names.
 */
export async function completeLogIn(
  deps: PasswordLogInDeps,
  db: Db,
  entering: SignIn,
  { user_id, code }: SecondStep,
): Promise<PasswordLogIn> {
  const { key, request } = entering;
  const key_id = key?.key_id ?? null;
  const open = await deps.codes.isOpen(db, { user_id, key_id, ip: request.ip });
  if (!open) throw await noPendingLogIn(deps, db, user_id, key);
  const login = await findLogin(db, user_id, deps.clock.now());
  if (!login) throw wrongCode();
  if (!key) requireAdmitted(deps, entering, login);
  return decide(db, async (tx): Promise<PasswordLogIn | AppError> => {
    await deps.attempts.admit(tx, { accounts: [accountOf(user_id)], ip: request.ip });
    const standing = await holdStanding(tx, user_id);
    refuseInactive(login, standing?.user_status ?? 'INACTIVE');
    const attempt = { user_id, key_id, code, consume: true, request };
    const verdict = await deps.codes.verify(tx, attempt);
    if (verdict.ok) return openSession(deps, tx, { login, method: verdict.method, entering });
    return verdict.reason === 'not_enabled' ? notEnabled() : wrongCode();
  });
}

const wrongCode = () => fail('INVALID_CODE', 'Invalid verification code', { status: 401 });
const notEnabled = () => fail('TWO_FACTOR_NOT_ENABLED', '2FA is not enabled for this user');

/**
 * In mock mode the contract's answer about the user; otherwise a caller without a proven password does not learn who
 * exists, who is active and who has a second factor (decisions: modes).
 */
async function noPendingLogIn(
  { config, clock }: PasswordLogInDeps,
  db: Db,
  user_id: number,
  key: ApiKey | null,
): Promise<AppError> {
  if (!config.MOCK_MODE || !key) return wrongCode();
  const login = await findLogin(db, user_id, clock.now());
  if (!login) return fail('USER_NOT_FOUND', 'User not found');
  refuseInactive(login, login.user_status);
  return login.twofa_enabled ? wrongCode() : notEnabled();
}

/** The first candidate whose password it is; without candidates it does the same work for none. */
async function accountsOf(
  { passwords }: PasswordLogInDeps,
  candidates: readonly Login[],
  password: string,
  ip: string,
) {
  if (candidates.length === 0) await passwords.verify(undefined, password, ip);
  for (const candidate of candidates)
    if (await passwords.verify(candidate.password_hash, password, ip)) return candidate;
  return undefined;
}

/** Throws ACCOUNT_NOT_ACTIVE where the account, its client or its verification lets no one in. */
export function refuseInactive(
  { verification, client_open }: Pick<Login, 'verification' | 'client_open'>,
  user_status: string,
): void {
  if (user_status !== 'ACTIVE') throw fail('ACCOUNT_NOT_ACTIVE', 'Account is not active');
  if (!client_open) throw clientStopped();
  if (verification === 'REJECTED')
    throw fail('ACCOUNT_NOT_ACTIVE', 'Account verification has been rejected');
}

/**
 * A key serves the users of its organisation, the console admins: a caller with a proven password gets the reason.
 */
function requireAdmitted(
  { config }: Pick<PasswordLogInDeps, 'config'>,
  { key, openForApp }: SignIn,
  { role, client }: Login,
): void {
  if (openForApp) return;
  if (key) requireSameClient(config, key, client.client_id);
  else requireConsoleFor(config, { role, operator: client.client_id === OPERATOR_CLIENT_ID });
}

async function openSession(
  deps: PasswordLogInDeps,
  tx: Db,
  { login, method, entering }: { login: Login; method: string; entering: SignIn },
): Promise<PasswordLogIn> {
  const { sessions, guesses, clock, config } = deps;
  const { user_id } = login;
  const { key, request, openForApp } = entering;
  await guesses.recordSuccess(tx, user_id, request.ip);
  if (login.temporary) await useTemporary(tx, user_id, clock.now());
  if (openForApp) return { login, method, ...(await openForApp(tx, login)) };
  const owner = { user_id, client_id: login.client.client_id };
  if (key) {
    const opened = await sessions.open(tx, { ...owner, key_id: key.key_id, method, request });
    return { login, method, ...opened };
  }
  const lacksFactor = method === 'password' && config.OPERATOR_2FA === 'required';
  const as = lacksFactor ? SETTING_UP : 'console';
  const opened = await sessions.open(tx, { ...owner, console: true, method: as, request });
  const details = { session_id: opened.session_id, method };
  await logActivity(tx, { action: 'CONSOLE_SIGNED_IN', actor: owner, details, request });
  return { login, method: as, ...opened };
}
