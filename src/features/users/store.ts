import { type Db, now, run } from '#kernel/db/db.ts';
import type { Asset } from '#kernel/money/money.ts';

export interface UserPage {
  /** Only users of this client. */
  readonly client_id: number | undefined;
  readonly limit: number;
  readonly before: number | undefined;
}

/** Newest first. */
export const listUsers = (db: Db, { client_id, limit, before }: UserPage) =>
  db
    .selectFrom('users as u')
    .innerJoin('clients as c', 'c.client_id', 'u.client_id')
    .leftJoin('verifications as k', (on) =>
      on.onRef('k.user_id', '=', 'u.user_id').on('k.kind', '=', 'KYC'),
    )
    .select([
      'u.user_id',
      'u.email',
      'u.username',
      'u.client_id',
      'u.user_status',
      'k.status as ekyc_status',
      'c.country_code',
    ])
    .$if(client_id !== undefined, (q) => q.where('u.client_id', '=', client_id ?? 0))
    .$if(before !== undefined, (q) => q.where('u.user_id', '<', before ?? 0))
    .orderBy('u.user_id', 'desc')
    .limit(limit)
    .execute();

/** What one wallet has seen, in units of its asset. */
export interface WalletTotals {
  readonly user_id: number;
  readonly asset: Asset;
  /** Lines of its statement that moved money. */
  readonly moves: number;
  /** All that came and went. */
  readonly volume: bigint;
  readonly balance: bigint;
}

/** Of every fiat wallet of these users: kept by the ledger, so no history is read. */
export async function walletTotals(db: Db, user_ids: readonly number[]): Promise<WalletTotals[]> {
  const rows = await run<Omit<WalletTotals, 'user_id'> & { readonly owner: string }>(
    db,
    `select owner, asset, moves, volume, posted as balance from ledger.accounts
      where owner = any($1) and purpose = 'wallet' order by owner, asset`,
    [user_ids.map((id) => `user:${id}`)],
  );
  return rows.map(({ owner, ...totals }) => ({
    ...totals,
    user_id: Number(owner.slice('user:'.length)),
  }));
}

/** The countries that a PSP of the type FIAT_PSP serves. */
export const listCountries = (db: Db) =>
  db
    .selectFrom('psps')
    .select(['country_code', 'country_name'])
    .where('psp_type', '=', 'FIAT_PSP')
    .distinctOn('country_code')
    .orderBy('country_code')
    .orderBy('priority')
    .orderBy('created_at')
    .execute();

export interface ProfileChange {
  readonly username?: string;
  readonly email?: string;
  readonly phone?: string;
}

export const updateProfile = (tx: Db, user_id: number, change: ProfileChange) =>
  tx
    .updateTable('users')
    .set({ ...change, updated: now })
    .where('user_id', '=', user_id)
    .returning(['user_id', 'username', 'email', 'phone', 'updated'])
    .executeTakeFirstOrThrow();

/** Whether another user of the same client has that address. */
export async function isEmailTaken(
  db: Db,
  { user_id, client_id }: { readonly user_id: number; readonly client_id: number },
  email: string,
): Promise<boolean> {
  const rows = await run(
    db,
    'select from users where client_id = $1 and lower(email) = lower($2) and user_id <> $3',
    [client_id, email, user_id],
  );
  return rows.length > 0;
}

/** The address is a new one: nothing that was mailed to the old one may prove anything any more. */
export async function forgetAddress(tx: Db, user_id: number): Promise<void> {
  await tx
    .deleteFrom('user_links')
    .where('user_id', '=', user_id)
    .where('purpose', 'in', ['reset', 'confirm'])
    .execute();
  await tx
    .updateTable('users')
    .set({ confirmed_at: null })
    .where('user_id', '=', user_id)
    .execute();
}

export interface NewOtp {
  readonly user_id: number;
  /** Whose it is, see `askerMark`. */
  readonly asker: string;
  readonly digest: Buffer;
  readonly expires_at: Date;
  /** An older code that expires later than this is too young to be replaced. */
  readonly replaceable_until: Date;
}

/** False while the asker's last code is too young to be replaced. */
export async function replaceOtp(tx: Db, otp: NewOtp): Promise<boolean> {
  const fresh = { digest: otp.digest, tries: 0, expires_at: otp.expires_at.toISOString() };
  const row = await tx
    .insertInto('user_otps')
    .values({ user_id: otp.user_id, purpose: PROFILE, asker: otp.asker, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'purpose', 'asker'])
        .doUpdateSet(fresh)
        .where('user_otps.expires_at', '<=', otp.replaceable_until.toISOString()),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

const PROFILE = 'profile';
const TRIES_MAX = 5;

export interface OtpUse {
  readonly user_id: number;
  readonly asker: string;
  readonly digest: Buffer;
  readonly at: Date;
}

/** Uses the code up when it is right and in time; otherwise counts the try. False for a wrong one. */
export async function takeOtp(tx: Db, { user_id, asker, digest, at }: OtpUse): Promise<boolean> {
  const taken = await tx
    .deleteFrom('user_otps')
    .where('user_id', '=', user_id)
    .where('purpose', '=', PROFILE)
    .where('asker', '=', asker)
    .where('digest', '=', digest)
    .where('tries', '<', TRIES_MAX)
    .where('expires_at', '>', at.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  if (taken) return true;
  await tx
    .updateTable('user_otps')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', user_id)
    .where('purpose', '=', PROFILE)
    .where('asker', '=', asker)
    .execute();
  return false;
}

export interface LinkUse {
  readonly digest: Buffer;
  readonly purpose: 'confirm' | 'tos';
  readonly user_id?: number;
}

/** Uses a link up. Nothing for one that never was or was used; the caller looks at `expires_at`. */
export const takeLink = (tx: Db, { digest, purpose, user_id }: LinkUse) =>
  tx
    .deleteFrom('user_links')
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .$if(user_id !== undefined, (q) => q.where('user_id', '=', user_id ?? 0))
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();

/** Notes that the address was confirmed; a user who waited for that becomes ACTIVE. */
export const confirmUser = (tx: Db, user_id: number, at: Date) =>
  tx
    .updateTable('users')
    .set(({ eb, val, case: when, ref }) => ({
      confirmed_at: at.toISOString(),
      user_status: when()
        .when(eb('user_status', '=', 'PENDING'))
        .then(val('ACTIVE'))
        .else(ref('user_status'))
        .end(),
      updated: now,
    }))
    .where('user_id', '=', user_id)
    .returning(['user_id', 'client_id'])
    .executeTakeFirst();

export const acceptTos = (tx: Db, user_id: number, at: Date) =>
  tx
    .updateTable('users')
    .set({ tos_accepted_at: at.toISOString(), updated: now })
    .where('user_id', '=', user_id)
    .returning(['user_id', 'client_id', 'tos_accepted_at'])
    .executeTakeFirstOrThrow();

/** Answers repeated a day later are not asked for any more; nor is the password in one of them. */
export const forgetCreations = (db: Db, before: Date) =>
  db.deleteFrom('account_creations').where('created_at', '<', before.toISOString()).execute();
