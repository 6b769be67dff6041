import type { Db } from '../db/db.ts';
import type { Localised } from '../localised.ts';

/** What a user, or another person in the user's name, has added to the account. */
export interface CredentialAddition {
  /** In words for its owner; one line of plain text. */
  readonly what: Localised<string>;
  readonly at: string;
}

/**
 * One kind of thing that gets people into an account, or keeps its owner out of it. Everything that
 * can be added must be listed and undone here: a reset of the password offers that (decisions:
 * Accounts).
 */
export interface CredentialAdditions {
  /** Takes the locks that must be taken before the user's row. */
  lock?(tx: Db, user_id: number): Promise<void>;
  /** What was added after `since`, or ever, newest first. */
  list(db: Db, user_id: number, since: string | null): Promise<CredentialAddition[]>;
  /** Removes the same; the user's row must be locked. Answers how many there were. */
  undo(tx: Db, user_id: number, since: string | null): Promise<number>;
}
