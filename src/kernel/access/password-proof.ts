import type { Db } from '../db/db.ts';
import type { RequestFacts } from '../http/declare/route.ts';
import type { Passwords } from '../secrets/password.ts';
import { type Attempt, accountOf } from './attempts.ts';

/** Counts wrong passwords of users, and says when there were too many. */
export interface PasswordCounter<T = unknown> {
  triesAt(db: Db, user_ids: readonly number[], ip: string): Promise<T[]>;
  /** Those that were free when they were looked up. Throws RATE_LIMITED where none was. */
  freeOf(tries: readonly T[]): T[];
  /** The same as of now, in the transaction that decides. */
  admit(tx: Db, tried: readonly T[]): Promise<T[]>;
  recordFailures(tx: Db, tried: readonly T[]): Promise<void>;
}

export interface PasswordProofDeps {
  readonly passwords: Passwords;
  // biome-ignore lint/suspicious/noExplicitAny: what is tried is the counter's own affair.
  readonly guesses: PasswordCounter<any>;
}

/** The user that a password is claimed for. */
export interface Claimant {
  readonly user_id: number;
  readonly request: Pick<RequestFacts, 'ip' | 'userAgent'>;
}

/** Whether it still is the password; the user's row is locked then, so that it stays so. */
export type PasswordCheck = (tx: Db) => Promise<boolean>;

export const guessOf = ({ user_id, request }: Claimant): Attempt => ({
  accounts: [accountOf(user_id)],
  ip: request.ip,
});

/**
 * Checks a user's password outside any transaction, since that takes long and connections are few.
 * What was found is asked for inside the one it is needed in, which must commit: a wrong one has been
 * counted there. Both throw RATE_LIMITED.
 */
export async function verifyPassword(
  { passwords, guesses }: PasswordProofDeps,
  db: Db,
  { user_id, request }: Claimant,
  password: string,
): Promise<PasswordCheck> {
  const tries = await guesses.triesAt(db, [user_id], request.ip);
  guesses.freeOf(tries);
  const hash = await hashOf(db, user_id);
  const right = await passwords.verify(hash, password, request.ip);
  return async (tx) => {
    await guesses.admit(tx, tries);
    // The password may have been changed while it was being checked.
    if (right && (await hashOf(tx, user_id, 'locked')) === hash) return true;
    await guesses.recordFailures(tx, tries);
    return false;
  };
}

async function hashOf(db: Db, user_id: number, locked?: 'locked') {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('user_id', '=', user_id)
    .$if(locked !== undefined, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row?.password_hash;
}
