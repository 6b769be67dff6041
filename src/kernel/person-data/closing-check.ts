import type { Db } from '../db/db.ts';
import type { Money } from '../money/money.ts';

/** Something that has to end before an account is closed. */
export interface ClosingItem {
  /** `balance`, `hold`, `payment`, `card`, `dispute`, `debt` and others. */
  readonly type: string;
  readonly id: string;
  readonly amount?: Money;
  /** Where it is shown, relative to the base URL; null where no endpoint shows it. */
  readonly href: string | null;
}

/** How many of a kind are named. */
export const CLOSING_ITEMS_MAX = 20;

/** Finds what is in the way, in the transaction that closes or erases: at most `CLOSING_ITEMS_MAX`. */
export type ClosingCheck = (tx: Db, user_id: number) => Promise<readonly ClosingItem[]>;
