import { Type } from 'typebox';
import { openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { API_PREFIX } from '#kernel/http/server.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newToken } from '#kernel/secrets/token.ts';

export type VerificationStatus = 'PENDING' | 'APPROVED' | 'REJECTED';

/** What a verification is called where there is no record of one (contract: States). */
export const NOT_SUBMITTED = 'Not yet Submit';

/** The same of either kind: of companies the contract knows the three statuses only. */
export const UNDECIDED = { KYC: NOT_SUBMITTED, KYB: 'PENDING' } as const;

/** What somebody or something is called: one line, so that it writes no lines of its own into mails. */
export const Name = Type.String({
  maxLength: 100,
  pattern: '^(?=.*\\S)[^\\p{Cc}\\u2028\\u2029]+$',
});

/**
 * A user with client and verification, as the contract's User and Client name the fields. Nothing
 * when there is no such user within reach.
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

export interface NewUser {
  readonly client_id: number;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly role: 'admin' | 'user';
  readonly password_hash: string;
  /** Of a password that we made: when it stops working, should nobody have used it. */
  readonly password_lapses_at: Date;
  readonly psp_id: number;
  readonly is_wishlist?: boolean;
}

export interface UserRow {
  readonly user_id: number;
  readonly client_id: number;
  readonly username: string;
  readonly email: string;
  readonly phone: string | null;
  readonly role: string;
  readonly user_status: string;
  readonly is_wishlist: boolean;
  readonly created: string;
  readonly updated: string;
}

/**
 * Makes an ACTIVE user with a first wallet, in the caller's transaction. Nothing when the client has
 * a user of that e-mail address already.
 */
export async function createUser(
  tx: Db,
  { password_lapses_at, ...user }: NewUser,
): Promise<UserRow | undefined> {
  const inserted = await tx
    .insertInto('users')
    .values({ ...user, psp_id: String(user.psp_id) })
    // The only other uniqueness is the number that the database itself gives.
    .onConflict((conflict) => conflict.doNothing())
    .returning(USER_ROW)
    .executeTakeFirst();
  if (!inserted) return undefined;
  const { user_id } = inserted;
  await tx
    .insertInto('temporary_passwords')
    .values({ user_id, lapses_at: password_lapses_at.toISOString() })
    .execute();
  await openFirstWallet(tx, inserted);
  return inserted;
}

const TEMPORARY_HOURS = 72;

/** When a password that is mailed now lapses, unless it is used before (decisions: accounts). */
export const temporaryUntil = ({ clock }: Pick<Kernel, 'clock'>): Date =>
  new Date(clock.now().getTime() + TEMPORARY_HOURS * 3600_000);

/** What the mail with such a password says of it. */
export const TEMPORARY_NOTE =
  `This password is temporary. It stops working unless it is used within ${TEMPORARY_HOURS} hours; ` +
  'change it after your first log-in, by a link to reset it.';

export interface Creation {
  readonly user_id: number;
  /** Where the answer shows it. */
  readonly password?: string;
}

/**
 * Makes an account in one transaction, once per operation: a repetition after a crash is told what
 * the first attempt has made. What both answer is read from the database afterwards.
 */
export async function createOnce(
  { db, clock, vault }: Pick<Kernel, 'db' | 'clock' | 'vault'>,
  operation: string,
  create: (tx: Db) => Promise<Creation>,
): Promise<Creation> {
  const context = `account:${operation}`;
  return transact(db, async (tx) => {
    await run(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [operation]);
    const earlier = await tx
      .selectFrom('account_creations')
      .select(['user_id', 'sealed_password'])
      .where('operation', '=', operation)
      .executeTakeFirst();
    if (earlier) {
      const { user_id, sealed_password: sealed } = earlier;
      return { user_id, ...(sealed !== null && { password: vault.open(sealed, context) }) };
    }
    const made = await create(tx);
    await tx
      .insertInto('account_creations')
      .values({
        operation,
        user_id: made.user_id,
        sealed_password: made.password === undefined ? null : vault.seal(made.password, context),
        created_at: clock.now().toISOString(),
      })
      .execute();
    return made;
  });
}

export interface VerificationChange {
  readonly user_id: number;
  readonly status: VerificationStatus;
  /** ISO 8601, as whoever decided it says. */
  readonly verified_at: string | null;
  /** Who decided it, as `ekyc_provider` shows it. */
  readonly provider: string;
  /** What made it so, for the history. */
  readonly source: string;
  /** When it was decided, if it was: what the identity provider has decided before counts no more. */
  readonly at: Date | null;
}

/** Sets a user's individual verification and keeps the history (contract: States). */
export async function recordVerification(tx: Db, change: VerificationChange): Promise<void> {
  const { user_id, status, verified_at, provider, source } = change;
  const decided = { status, verified_at, provider, decided_at: change.at?.toISOString() ?? null };
  await tx
    .insertInto('verifications')
    .values({ user_id, kind: 'KYC', ...decided })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet({ ...decided, updated_at: now }),
    )
    .execute();
  await tx
    .insertInto('verification_history')
    .values({ user_id, kind: 'KYC', status, source })
    .execute();
}

/** Makes the user ACTIVE, whatever they were. */
export async function activate(tx: Db, user_id: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ user_status: 'ACTIVE', updated: now })
    .where('user_id', '=', user_id)
    .where('user_status', '<>', 'ACTIVE')
    .execute();
}

export interface NewLink {
  readonly user_id: number;
  readonly purpose: 'confirm' | 'tos';
  readonly expires_at: Date;
}

/** A token of 32 hex characters that proves something once; only its digest is kept. */
export async function newLink(tx: Db, { user_id, purpose, expires_at }: NewLink): Promise<string> {
  const { token, digest } = newToken(16);
  await tx
    .insertInto('user_links')
    .values({ digest, user_id, purpose, expires_at: expires_at.toISOString() })
    .execute();
  return token;
}

const CONFIRM_TTL_MS = 24 * 3600 * 1000;

/** The address by which a person confirms theirs (contract: Account confirmation). */
export async function confirmationLink(
  tx: Db,
  { clock, publicUrl }: Pick<Kernel, 'clock' | 'publicUrl'>,
  user_id: number,
): Promise<string> {
  const expires_at = new Date(clock.now().getTime() + CONFIRM_TTL_MS);
  const token = await newLink(tx, { user_id, purpose: 'confirm', expires_at });
  return `${publicUrl()}${API_PREFIX}/users/confirm/${token}`;
}

/** Where people log in: the configured place, else our own page about it. */
export const loginAddress = ({ config, publicUrl }: Pick<Kernel, 'config' | 'publicUrl'>): string =>
  config.LOGIN_URL ?? `${publicUrl()}/login`;

const USER_ROW = [
  'user_id',
  'client_id',
  'username',
  'email',
  'phone',
  'role',
  'user_status',
  'is_wishlist',
  'created',
  'updated',
] as const;

const USER = [
  'u.user_id',
  'u.client_id',
  'u.username',
  'u.email',
  'u.phone',
  'u.role',
  'u.user_status',
  'u.created',
  'u.updated',
  'u.is_wishlist',
  'u.tos_accepted_at',
  'u.confirmed_at',
  'u.social_username',
  'u.social_verified',
  'u.twofa_enabled',
  'u.public_key',
  'u.profile_picture',
  'u.psp_id',
] as const;
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
