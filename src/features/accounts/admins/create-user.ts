import {
  type AccountDeps,
  type AccountUser,
  insertAccountUser,
  type NewAccount,
  type NewAccountActor,
  prepareAccount,
} from '#features/accounts/clients/clients.ts';
import { mailOperators } from '#features/accounts/security-notices/security-notices.ts';
import { createOnce, findUser, loginAddress } from '#features/accounts/users/users.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { clientScopeOf, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { SIGN_UPS } from '#kernel/quota/sign-ups.ts';
import { mayVouch } from './may-approve.ts';
import { findReachableClient } from './store.ts';
import { ADMIN_TEXTS } from './texts.ts';

export interface UserRequest {
  readonly client_id: number;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly country_code: string;
  readonly role?: 'admin' | 'user';
  readonly is_wishlist?: boolean;
}

type Actor = NewAccountActor<UserCaller>;
type UserAccount = NewAccount<UserRequest, UserCaller>;

/**
 * Creates a verified user of a client within the admin's reach, and mails a temporary password (contract: Admin).
 * Throws CLIENT_NOT_FOUND, NO_PSP_FOR_COUNTRY and EMAIL_EXISTS.
 */
export async function createUserByAdmin(deps: AccountDeps, given: UserRequest, by: Actor) {
  const { db, clock, pspCustomers } = deps;
  const client = await findReachableClient(db, clientScopeOf(by.caller), given.client_id);
  if (!client) throw fail('CLIENT_NOT_FOUND', 'Client not found');
  const password = `User${clock.now().getTime()}!`;
  const account = await prepareAccount(deps, given, by, password);
  const made = await createOnce(deps, by.operation, (tx) => insertUser(deps, tx, account, client));
  const user = await findUser(db, tenantScopeOf(by.caller), made.user_id);
  if (!user) throw new Error(`The new user ${made.user_id} vanished`);
  const planned = await pspCustomers.ofUser(db, user.user_id);
  const [customer] = planned ? await pspCustomers.syncNow([planned.id]) : [];
  return { user, temp_password: made.password ?? password, customer };
}

async function insertUser(
  deps: AccountDeps,
  tx: Db,
  account: UserAccount,
  client: AccountUser['client'],
) {
  const { body, by, country_code, password } = account;
  const { client_id, username, role = 'user', is_wishlist = false } = body;
  await deps.quotas.spend(tx, SIGN_UPS.user, requesterOf(by.caller, by.request));
  const at = deps.clock.now();
  const status = (await mayVouch(deps, tx, by.caller)) ? 'APPROVED' : 'PENDING';
  const user_id = await insertAccountUser(deps, tx, account, {
    client,
    username,
    role,
    is_wishlist,
    verification: {
      status,
      verified_at: status === 'APPROVED' ? at.toISOString() : null,
      at,
      provider: 'ADMIN',
      source: 'ADMIN_CREATE_USER',
    },
    kyc_status: status,
    welcome: welcomeOf(deps, account),
    activity: {
      action: 'ADMIN_CREATE_USER',
      actor: by.caller,
      details: { role, country_code },
    },
  });
  if (user_id === undefined)
    throw fail('EMAIL_EXISTS', 'Email already registered under this client');
  if (client_id === OPERATOR_CLIENT_ID && role === 'admin')
    await mailNewOperator(deps, tx, user_id, account);
  return { user_id, password };
}

/** Notifies the operator's other admins of a new one, who can act for all clients and approve their proposals. */
const mailNewOperator = (
  deps: AccountDeps,
  tx: Db,
  user_id: number,
  { body, by }: UserAccount,
): Promise<void> =>
  mailOperators(deps, tx, {
    kind: 'notice',
    except: by.caller.user_id,
    purpose: 'operator-admin-made',
    words: inEachLanguage(ADMIN_TEXTS, ({ newOperator }) =>
      newOperator({ maker: by.caller.user_id, username: body.username, user_id }),
    ),
  });

const welcomeOf = (
  deps: AccountDeps,
  { body: { username }, password }: UserAccount,
): AccountUser['welcome'] => ({
  words: (confirm) =>
    inEachLanguage(ADMIN_TEXTS, ({ welcome }) =>
      welcome({ username, password, confirm, login: loginAddress(deps) }),
    ),
  purpose: 'user-welcome',
});
