import { createUser, type NewUser, temporaryUntil } from '#features/accounts/users/users.ts';
import { recordFirstVerification } from '#features/accounts/verification/verification.ts';
import { type Activity, logActivity } from '#features/messaging/activity/activity.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { KeyCaller, RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { requirePhone } from '#kernel/phone.ts';
import type { AccountDeps } from './account-deps.ts';
import { isPspA, requirePsp } from './psps.ts';
import type { Psp } from './store.ts';
import { sendWelcome, type Welcome } from './welcome.ts';

/** The request for a new account, of a client or of one of its users. */
interface AccountRequest {
  readonly email: string;
  readonly phone: string;
  readonly country_code: string;
}

export interface NewAccountActor<C extends KeyCaller | UserCaller> {
  readonly caller: C;
  readonly operation: string;
  readonly request: RequestFacts;
}

/** A checked request with its PSP and its hashed temporary password. */
export interface NewAccount<B extends AccountRequest, C extends KeyCaller | UserCaller> {
  readonly body: B;
  readonly by: NewAccountActor<C>;
  readonly country_code: string;
  readonly psp: Psp;
  readonly password: string;
  readonly password_hash: string;
}

/** Outside of any transaction, since the hash takes long. Throws NO_PSP_FOR_COUNTRY and the errors of phone numbers. */
export async function prepareAccount<B extends AccountRequest, C extends KeyCaller | UserCaller>(
  { db, passwords }: AccountDeps,
  given: B,
  by: NewAccountActor<C>,
  password: string,
): Promise<NewAccount<B, C>> {
  const country_code = given.country_code.toUpperCase();
  const psp = await requirePsp(db, country_code);
  const phone = requirePhone(given.phone, { country: country_code });
  const password_hash = await passwords.hash(password, by.request.ip);
  return { body: { ...given, phone }, by, country_code, psp, password, password_hash };
}

/** The user of a new account, and what is recorded and mailed with them. */
export interface AccountUser extends Pick<NewUser, 'client' | 'username' | 'role' | 'is_wishlist'> {
  readonly verification: Omit<Parameters<typeof recordFirstVerification>[2], 'user_id'>;
  /** For PSP A, where it is decided already. */
  readonly kyc_status?: string;
  readonly welcome: Pick<Welcome, 'words' | 'purpose'>;
  readonly activity: Pick<Activity, 'action' | 'actor' | 'details'>;
}

/**
 * Inserts the user with the temporary password, their first verification, their customer at PSP A, the welcome mail and
 * the audit record, in the caller's transaction. Nothing when the client has a user of that e-mail address already.
 */
export async function insertAccountUser(
  deps: AccountDeps,
  tx: Db,
  {
    body,
    by,
    country_code,
    psp,
    password_hash,
  }: NewAccount<AccountRequest, KeyCaller | UserCaller>,
  { verification, kyc_status, welcome, activity, ...user }: AccountUser,
): Promise<number | undefined> {
  const { client_id } = user.client;
  const { email, phone } = body;
  const inserted = await createUser(tx, {
    ...user,
    email,
    phone,
    password_hash,
    password_lapses_at: temporaryUntil(deps),
    psp_id: psp.psp_id,
  });
  if (!inserted) return undefined;
  const { user_id } = inserted;
  await recordFirstVerification(tx, client_id, { user_id, ...verification });
  if (isPspA(psp, country_code))
    await deps.pspCustomers.request(tx, { client_id, user_id, ...(kyc_status && { kyc_status }) });
  const requester = requesterOf(by.caller, by.request);
  await sendWelcome(tx, deps, { ...welcome, by: requester, to: email, user_id });
  const subject = { client_id, subject_user_id: user_id };
  await logActivity(tx, { ...activity, ...subject, request: by.request });
  return user_id;
}
