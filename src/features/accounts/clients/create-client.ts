import { createOnce, findUser, loginAddress } from '#features/accounts/users/users.ts';
import { isByOperator, requesterOf } from '#kernel/access/requester.ts';
import { zoneOfCountry } from '#kernel/calendar.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { KeyCaller } from '#kernel/http/declare/route.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { SIGN_UPS } from '#kernel/quota/sign-ups.ts';
import { newPassword } from '#kernel/secrets/token.ts';
import type { AccountDeps } from './account-deps.ts';
import { emitFound } from './events.ts';
import {
  type AccountUser,
  insertAccountUser,
  type NewAccount,
  type NewAccountActor,
  prepareAccount,
} from './new-account.ts';
import { isPspA } from './psps.ts';
import { findClient, insertClient } from './store.ts';
import { CLIENT_TEXTS } from './texts.ts';

export interface ClientRequest {
  readonly email: string;
  readonly client_alias: string;
  readonly client_type: string;
  readonly client_status?: string;
  readonly country_code: string;
  readonly phone: string;
  readonly time_zone?: string;
}

/** Contract: Limits, generated client password. */
const PASSWORD_LENGTH = 10;
/** The status of a client until it is approved. */
const UNAPPROVED = 'PENDING';

type Actor = NewAccountActor<KeyCaller>;
type ClientAccount = NewAccount<ClientRequest, KeyCaller>;

/**
 * Creates a client, its admin and their accounts, all or nothing, and then tries the customers at the PSP, whose
 * failure fails nothing (contract: Client creation rules). Throws NO_PSP_FOR_COUNTRY, EMAIL_IN_USE, FORBIDDEN and
 * RATE_LIMITED.
 */
export async function createClient(deps: AccountDeps, given: ClientRequest, by: Actor) {
  const { db, pspCustomers } = deps;
  const account = await prepareAccount(deps, given, by, newPassword(PASSWORD_LENGTH));
  const made = await createOnce(deps, by.operation, (tx) => insertAccount(deps, tx, account));
  const { user_id } = made;
  const admin = await findUser(db, {}, user_id);
  if (!admin) throw new Error(`The new admin ${user_id} vanished`);
  const { client_id } = admin;
  const client = 'client' in made ? made.client : await findClient(db, client_id);
  const planned = isPspA(account.psp, account.country_code)
    ? await pspCustomers.ofAccount(db, client_id, user_id)
    : [];
  const customers = await pspCustomers.syncNow(planned.map(({ id }) => id));
  return { client, admin, customers };
}

async function insertAccount(deps: AccountDeps, tx: Db, account: ClientAccount) {
  const { body, by, country_code, psp } = account;
  const { email, client_alias, client_type, client_status = UNAPPROVED, phone } = body;
  const { time_zone = zoneOfCountry(country_code) } = body;
  if (client_status !== UNAPPROVED) await requireApprover(deps, tx, by);
  await deps.quotas.spend(tx, SIGN_UPS.client, requesterOf(by.caller, by.request));
  const { psp_id } = psp;
  const facts = {
    email,
    client_alias,
    client_type,
    client_status,
    country_code,
    psp_id,
    phone,
    time_zone,
  };
  const client = await insertClient(tx, deps.clock.now(), facts);
  if (!client) throw fail('EMAIL_IN_USE', 'Email already used by another client');
  const { client_id } = client;
  emitFound(tx, 'created', client);
  if (isPspA(psp, country_code)) await deps.pspCustomers.request(tx, { client_id });
  const user_id = await insertAccountUser(deps, tx, account, {
    client,
    username: client_alias,
    role: 'admin',
    verification: {
      status: 'PENDING',
      verified_at: null,
      provider: 'PLATFORM',
      source: 'CLIENT_CREATE',
      at: null,
    },
    welcome: welcomeOf(deps, account),
    activity: {
      action: 'CLIENT_CREATE',
      actor: null,
      details: { client_alias, client_type, country_code, psp_id },
    },
  });
  if (user_id === undefined) throw new Error(`The new client ${client_id} has a user already`);
  return { user_id, client };
}

/** Any caller may sign up; except in mock mode only the operator creates approved clients. */
async function requireApprover({ config }: AccountDeps, tx: Db, { caller }: Actor): Promise<void> {
  if (config.MOCK_MODE || (await isByOperator(tx, caller.key))) return;
  throw fail(
    'FORBIDDEN',
    `Only the platform operator may create clients that are not ${UNAPPROVED}`,
  );
}

const welcomeOf = (
  deps: AccountDeps,
  { body: { client_alias: alias }, password }: ClientAccount,
): AccountUser['welcome'] => ({
  words: (confirm) =>
    inEachLanguage(CLIENT_TEXTS, (words) =>
      words({ alias, password, confirm, login: loginAddress(deps) }),
    ),
  purpose: 'client-welcome',
});
