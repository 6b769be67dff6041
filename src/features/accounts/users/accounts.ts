import { openFirstWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import { newToken } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { emitUserFound } from './events.ts';
import { insertLink, type NewLink } from './link-store.ts';
import { insertTemporary } from './password-store.ts';
import {
  type ClientFacts,
  insertCreation,
  insertUser,
  lockCreation,
  type UserRow,
  unverified,
} from './store.ts';
import { temporaryNotes } from './texts.ts';

export interface NewUser {
  readonly client: ClientFacts & { readonly client_id: number };
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly role: 'admin' | 'user';
  readonly password_hash: string;
  /** Of a temporary password: when it stops working unless it is used. */
  readonly password_lapses_at: Date;
  readonly psp_id: number;
  readonly is_wishlist?: boolean;
  /** Of an admin whom another one makes: since when they are in the team. */
  readonly team_since?: string;
}

/**
 * Creates an ACTIVE user with a first wallet, in the caller's transaction. Nothing when the client has a user of that
 * e-mail address already.
 */
export async function createUser(
  tx: Db,
  { password_lapses_at, client, ...user }: NewUser,
): Promise<UserRow | undefined> {
  const { client_id, country_code } = client;
  const inserted = await insertUser(tx, { ...user, client_id, psp_id: String(user.psp_id) });
  if (!inserted) return undefined;
  const { user_id } = inserted;
  await insertTemporary(tx, user_id, password_lapses_at);
  emitUserFound(tx, 'created', unverified(inserted, client));
  await openFirstWallet(tx, { user_id, client_id, country_code });
  return inserted;
}

const TEMPORARY_HOURS = 72;

/** When a password that is mailed now lapses, unless it is used before (decisions: accounts). */
export const temporaryUntil = ({ clock }: Pick<Kernel, 'clock'>): Date =>
  new Date(clock.now().getTime() + TEMPORARY_HOURS * 3600_000);

/** The note about such a password in the mail. */
export const TEMPORARY_NOTES = temporaryNotes(TEMPORARY_HOURS);

export interface UserCreation {
  readonly user_id: number;
  /** Where the answer shows it. */
  readonly password?: string;
}

/**
 * Creates an account in one transaction, once per operation: a repetition after a crash gets the account of the first
 * attempt. Both read their answer from the database afterwards.
 */
export async function createOnce<C extends UserCreation>(
  { db, clock, vault }: Pick<Kernel, 'db' | 'clock' | 'vault'>,
  operation: string,
  create: (tx: Db) => Promise<C>,
): Promise<C | UserCreation> {
  const context = `account:${operation}`;
  return transact(db, async (tx) => {
    const earlier = await lockCreation(tx, operation);
    if (earlier) {
      const { user_id, sealed_password: sealed } = earlier;
      return { user_id, ...(sealed !== null && { password: vault.open(sealed, context) }) };
    }
    const made = await create(tx);
    await insertCreation(tx, {
      operation,
      user_id: made.user_id,
      sealed_password: made.password === undefined ? null : vault.seal(made.password, context),
      created_at: clock.now().toISOString(),
    });
    return made;
  });
}

/** A token of 32 hex characters that proves something once; the table keeps only its digest. */
export async function newLink(tx: Db, link: Omit<NewLink, 'digest'>): Promise<string> {
  const { token, digest } = newToken(16);
  await insertLink(tx, { digest, ...link });
  return token;
}

const CONFIRM_TTL_MS = 24 * 3600 * 1000;

export const CONFIRM_ADDRESS_PAGE = '/confirm-address';

/**
 * The address where a user confirms their e-mail: in mock mode the contract's own, which confirms when it is opened;
 * otherwise a page with a button, since scanners of mail open every link.
 */
export async function confirmationLink(
  tx: Db,
  { clock, config, publicUrl }: Pick<Kernel, 'clock' | 'config' | 'publicUrl'>,
  user_id: number,
): Promise<string> {
  const expires_at = new Date(clock.now().getTime() + CONFIRM_TTL_MS);
  const token = await newLink(tx, { user_id, purpose: 'confirm', expires_at });
  if (config.MOCK_MODE) return `${publicUrl()}${API_PREFIX}/users/confirm/${token}`;
  return `${publicUrl()}${CONFIRM_ADDRESS_PAGE}?token=${token}`;
}

/** The log-in page: the configured one, else our own page about it. */
export const loginAddress = ({ config, publicUrl }: Pick<Kernel, 'config' | 'publicUrl'>): string =>
  config.LOGIN_URL ?? `${publicUrl()}/login`;

/** Temporary passwords, for callers who repeat the request that created an account. */
export const SEALED_PASSWORDS: SealedKind = {
  what: 'first passwords',
  text: `select sealed_password as sealed, 'account:' || operation as context, null::bytea as mark
    from account_creations where sealed_password is not null`,
};
