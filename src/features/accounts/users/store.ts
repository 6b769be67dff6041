import { type Expression, type Insertable, sql } from 'kysely';
import { UNDECIDED, verifiedOfPage } from '#features/accounts/verification/verification.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Users } from '#kernel/db/schema.generated.ts';

/**
 * A user with client and verification, as the contract's User and Client name the fields. Nothing when no such user
 * is within reach.
 */
export async function findUser(db: Db, reach: TenantScope, user_id: number) {
  const user = await db
    .selectFrom('users as u')
    .innerJoin('clients as c', 'c.client_id', 'u.client_id')
    .leftJoin('verifications as k', (on) =>
      on.onRef('k.user_id', '=', 'u.user_id').on('k.kind', '=', 'KYC'),
    )
    .leftJoin('verifications as b', (on) =>
      on.onRef('b.user_id', '=', 'u.user_id').on('b.kind', '=', 'KYB'),
    )
    .select([...USER, ...CLIENT, ...VERIFICATION])
    .where('u.user_id', '=', user_id)
    .where(({ ref }) => inTenantScope(reach, ref('u.user_id'), ref('u.client_id')))
    .executeTakeFirst();
  if (!user) return undefined;
  const { ekyc_status, ekyb_status } = user;
  return {
    ...user,
    ekyc_status: ekyc_status ?? UNDECIDED.KYC,
    ekyb_status: ekyb_status ?? UNDECIDED.KYB,
  };
}

export type FoundUser = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** The facts of a client that its users show. */
export type ClientFacts = Row<
  'clients',
  'client_alias' | 'client_type' | 'client_status' | 'country_code' | 'client_code'
>;

/** A new user as `findUser` would find them, before any verification. */
export const unverified = (
  user: UserRow,
  { client_alias, client_type, client_status, country_code, client_code }: ClientFacts,
): FoundUser => ({
  ...user,
  client_alias,
  client_type,
  client_status,
  country_code,
  client_code,
  ekyc_status: UNDECIDED.KYC,
  ekyc_verified_at: null,
  ekyc_provider: null,
  ekyc_applicant_id: null,
  ekyb_status: UNDECIDED.KYB,
  ekyb_verified_at: null,
  ekyb_applicant_id: null,
});

export interface UserPage {
  /** Only users of this client. */
  readonly client_id: number | undefined;
  readonly limit: number;
  readonly before: number | undefined;
}

/**
 * Newest first. Reads the data of a page for all of it at once: neighbours lie side by side, and single look-ups
 * would each descend an index.
 */
export const listUsers = (db: Db, { client_id, limit, before }: UserPage) =>
  db
    .with(
      (part) => part('page').materialized(),
      (q) =>
        q
          .selectFrom('users')
          .select(['user_id', 'email', 'username', 'client_id', 'user_status'])
          .$if(client_id !== undefined, (some) => some.where('client_id', '=', client_id ?? 0))
          .$if(before !== undefined, (some) => some.where('user_id', '<', before ?? 0))
          .orderBy('user_id', 'desc')
          .limit(limit),
    )
    .with(
      (part) => part('owners').materialized(),
      (q) =>
        q
          .selectFrom('clients')
          .select(['client_id', 'country_code'])
          .where(sql<boolean>`client_id = any(array(select client_id from page))`),
    )
    .with((part) => part('kyc').materialized(), verifiedOfPage)
    .selectFrom('page as u')
    // Every user has a client. For an inner join the planner would expect a row or two, and loop over the page for
    // each.
    .leftJoin('owners as c', 'c.client_id', 'u.client_id')
    .leftJoin('kyc as k', 'k.user_id', 'u.user_id')
    .select([
      'u.user_id',
      'u.email',
      'u.username',
      'u.client_id',
      'u.user_status',
      'k.status as ekyc_status',
      sql<string>`c.country_code`.as('country_code'),
    ])
    .orderBy('u.user_id', 'desc')
    .execute();

export type UserRow = Row<'users', (typeof USER_ROW)[number]>;

/** Nothing when the client has a user of that e-mail address already. */
export const insertUser = (tx: Db, user: Insertable<Users>): Promise<UserRow | undefined> =>
  tx
    .insertInto('users')
    .values(user)
    // The only other uniqueness is the number that the database itself gives.
    .onConflict((conflict) => conflict.doNothing())
    .returning(USER_ROW)
    .executeTakeFirst();

/**
 * Makes a PENDING user ACTIVE, and a suspended one once they are reinstated; answers whether the user became ACTIVE
 * now.
 */
export async function makeActive(tx: Db, user_id: number): Promise<boolean> {
  const [user] = await run<Row<'users', 'user_status'>>(
    tx,
    `update users
        set user_status = case user_status when 'PENDING' then 'ACTIVE' else user_status end,
            status_before_stop = case user_status when 'INACTIVE' then 'ACTIVE' end,
            updated = service_now()
      where user_id = $1 and user_status <> 'ACTIVE' returning user_status`,
    [user_id],
  );
  return user?.user_status === 'ACTIVE';
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
export async function isUserEmailTaken(
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

/**
 * Records that the address was confirmed; a user who waited for that becomes ACTIVE, a suspended one once reinstated.
 */
export const confirmUser = (tx: Db, user_id: number, at: Date) =>
  tx
    .updateTable('users')
    .set(({ ref }) => ({
      confirmed_at: at.toISOString(),
      user_status: activeAfterPending(ref('user_status')),
      status_before_stop: activeAfterPending(ref('status_before_stop')),
      updated: now,
    }))
    .where('user_id', '=', user_id)
    .returning(['user_id', 'client_id'])
    .executeTakeFirst();

const activeAfterPending = <T extends string | null>(status: Expression<T>) =>
  sql<T>`case ${status} when 'PENDING' then 'ACTIVE' else ${status} end`;

export const acceptTos = (tx: Db, user_id: number, at: Date, tos_version: string | null) =>
  tx
    .updateTable('users')
    .set({ tos_accepted_at: at.toISOString(), tos_version, updated: now })
    .where('user_id', '=', user_id)
    .returning(['user_id', 'client_id', 'tos_accepted_at'])
    .executeTakeFirstOrThrow();

/** Accounts of that e-mail that wait to be confirmed, with the rows locked. */
export const lockUnconfirmed = (tx: Db, email: string) =>
  run<Row<'users', 'user_id' | 'username' | 'email'>>(
    tx,
    `select user_id, username, email from users
      where lower(email) = lower($1) and confirmed_at is null
      order by user_id limit 5 for no key update`,
    [email],
  );

/** Marks the address unconfirmed; a new one has to be confirmed. */
export async function unconfirm(tx: Db, user_id: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ confirmed_at: null })
    .where('user_id', '=', user_id)
    .execute();
}

/** The account that the operation has created, if any; locks the operation until the transaction ends. */
export async function lockCreation(tx: Db, operation: string): Promise<Made | undefined> {
  const sql = 'select user_id, sealed_password from hold_creation($1)';
  return (await run<Made>(tx, sql, [operation]))[0];
}

type Made = Row<'account_creations', 'user_id' | 'sealed_password'>;

export const insertCreation = (
  tx: Db,
  { operation, user_id, sealed_password, created_at }: Row<'account_creations'>,
): Promise<void> =>
  deferWrite(
    tx,
    `insert into account_creations (operation, user_id, sealed_password, created_at)
     values ($1, $2, $3, $4)`,
    [operation, user_id, sealed_password, created_at],
  );

/** Forgets creations whose answers callers no longer repeat, with the passwords in them. */
export const forgetCreations = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'account_creations', 'created_at < $1', [before.toISOString()]);

const USER_ROW = [
  'user_id',
  'client_id',
  'username',
  'email',
  'phone',
  'role',
  'user_status',
  'created',
  'updated',
  'is_wishlist',
  'tos_accepted_at',
  'tos_version',
  'confirmed_at',
  'social_username',
  'social_verified',
  'twofa_enabled',
  'public_key',
  'profile_picture',
  'psp_id',
] as const;
const USER = USER_ROW.map((column) => `u.${column}` as const);

const CLIENT = [
  'c.client_alias',
  'c.client_type',
  'c.client_status',
  'c.country_code',
  'c.client_code',
] as const;
const VERIFICATION = [
  'k.status as ekyc_status',
  'k.verified_at as ekyc_verified_at',
  'k.provider as ekyc_provider',
  'k.applicant_id as ekyc_applicant_id',
  'b.status as ekyb_status',
  'b.verified_at as ekyb_verified_at',
  'b.applicant_id as ekyb_applicant_id',
] as const;
