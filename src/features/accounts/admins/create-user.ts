import {
  type AccountDeps,
  isPspA,
  type Psp,
  requirePsp,
  sendWelcome,
} from '#features/accounts/clients/clients.ts';
import { mailOperators } from '#features/accounts/security-notices/security-notices.ts';
import {
  createOnce,
  createUser,
  findUser,
  loginAddress,
  type NewUser,
  TEMPORARY_NOTE,
  temporaryUntil,
} from '#features/accounts/users/users.ts';
import { recordFirstVerification } from '#features/accounts/verification/verification.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { clientScopeOf, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { requirePhone } from '#kernel/phone.ts';
import { SIGN_UPS } from '#kernel/quota/sign-ups.ts';
import { linkLine, ours } from '#kernel/wording.ts';
import { mayVouch } from './may-approve.ts';
import { findReachableClient } from './store.ts';

export interface UserRequest {
  readonly client_id: number;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly country_code: string;
  readonly role?: 'admin' | 'user';
  readonly is_wishlist?: boolean;
}

interface Actor {
  readonly caller: UserCaller;
  readonly operation: string;
  readonly request: RequestFacts;
}

/**
 * Creates a verified user of a client within the admin's reach, and mails a temporary password (contract: Admin).
 * Throws CLIENT_NOT_FOUND, NO_PSP_FOR_COUNTRY and EMAIL_EXISTS.
 */
export async function createUserByAdmin(deps: AccountDeps, given: UserRequest, by: Actor) {
  const { db, clock, passwords, pspCustomers } = deps;
  const client = await findReachableClient(db, clientScopeOf(by.caller), given.client_id);
  if (!client) throw fail('CLIENT_NOT_FOUND', 'Client not found');
  const country_code = given.country_code.toUpperCase();
  const psp = await requirePsp(db, country_code);
  const phone = requirePhone(given.phone, { country: country_code });
  const body = { ...given, phone };
  const password = `User${clock.now().getTime()}!`;
  const password_hash = await passwords.hash(password, by.request.ip);
  const made = await createOnce(deps, by.operation, (tx) =>
    insertUser(deps, tx, { body, by, client, country_code, psp, password, password_hash }),
  );
  const user = await findUser(db, tenantScopeOf(by.caller), made.user_id);
  if (!user) throw new Error(`The new user ${made.user_id} vanished`);
  const planned = await pspCustomers.ofUser(db, user.user_id);
  const [customer] = planned ? await pspCustomers.syncNow([planned.id]) : [];
  return { user, temp_password: made.password ?? password, customer };
}

interface Account {
  readonly body: UserRequest;
  readonly by: Actor;
  readonly client: NewUser['client'];
  readonly country_code: string;
  readonly psp: Psp;
  readonly password: string;
  readonly password_hash: string;
}

async function insertUser(deps: AccountDeps, tx: Db, account: Account) {
  const { body, by, client, country_code, psp, password, password_hash } = account;
  const { client_id, username, email, phone, role = 'user', is_wishlist = false } = body;
  await deps.quotas.spend(tx, SIGN_UPS.user, requesterOf(by.caller, by.request));
  const user = await createUser(tx, {
    client,
    username,
    email,
    phone,
    role,
    is_wishlist,
    password_hash,
    password_lapses_at: temporaryUntil(deps),
    psp_id: psp.psp_id,
  });
  if (!user) throw fail('EMAIL_EXISTS', 'Email already registered under this client');
  const { user_id } = user;
  const at = deps.clock.now();
  const status = (await mayVouch(deps, tx, by.caller)) ? 'APPROVED' : 'PENDING';
  await recordFirstVerification(tx, client_id, {
    user_id,
    status,
    verified_at: status === 'APPROVED' ? at.toISOString() : null,
    at,
    provider: 'ADMIN',
    source: 'ADMIN_CREATE_USER',
  });
  if (isPspA(psp, country_code))
    await deps.pspCustomers.request(tx, { client_id, user_id, kyc_status: status });
  await welcome(deps, tx, user_id, account);
  if (client_id === OPERATOR_CLIENT_ID && role === 'admin')
    await mailNewOperator(deps, tx, user_id, account);
  await logActivity(tx, {
    action: 'ADMIN_CREATE_USER',
    actor: by.caller,
    client_id,
    subject_user_id: user_id,
    details: { role, country_code },
    request: by.request,
  });
  return { user_id, password };
}

/** Notifies the operator's other admins of a new one, who can act for all clients and approve their proposals. */
const mailNewOperator = (
  deps: AccountDeps,
  tx: Db,
  user_id: number,
  { body, by }: Account,
): Promise<void> =>
  mailOperators(deps, tx, {
    kind: 'notice',
    except: by.caller.user_id,
    purpose: 'operator-admin-made',
    subject: 'Archipay has a new admin of the operator',
    text: [
      `Admin ${by.caller.user_id} has made ${body.username} (user ${user_id}) an admin of the operator.`,
      'Such an admin reaches the data of all clients.',
      'If you know nothing of it, stop that account at the console, and the one that made it.',
    ],
  });

/** Contract: Events, welcome with temporary password. */
function welcome(
  deps: AccountDeps,
  tx: Db,
  user_id: number,
  { body, by, password }: Account,
): Promise<void> {
  return sendWelcome(tx, deps, {
    by: requesterOf(by.caller, by.request),
    to: body.email,
    subject: 'Welcome to Archipay: your account',
    text: (confirm) => [
      `Hello ${body.username}, an Archipay account was made for you.`,
      '',
      ours(`Password: ${password}`),
      linkLine(loginAddress(deps), 'Log in', 'Log in'),
      ours(TEMPORARY_NOTE),
      '',
      'Please confirm your e-mail address within 24 hours:',
      linkLine(confirm, 'Confirm this address'),
    ],
    purpose: 'user-welcome',
    user_id,
  });
}
