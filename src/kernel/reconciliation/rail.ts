import type { Db } from '../db/db.ts';
import type { Outcome } from '../effects/outcome.ts';
import type { Asset } from '../money/money.ts';

/** Of one page. */
export const LINES_MAX = 1000;

/** One movement of money, as one side has it in its books. */
export interface BookLine {
  /** The side's own name for the line; the same again is the same line. */
  readonly line: string;
  /** What both sides call the movement: our reference, which the provider keeps with it. */
  readonly reference: string;
  /** `payment`, `payout`, `deposit`, `trade`, `withdrawal`, …: one reference may have one of each. */
  readonly kind: string;
  readonly asset: Asset;
  /** Whole units; positive is money that came to us at that provider. */
  readonly units: bigint;
  readonly at: Date;
  /** The owner of our line. Only the admins of that client see its breaks. */
  readonly clientId?: number;
}

/** Lines from `from` (inclusive) to `to` (exclusive), in an order of their own that stays. */
export interface BookWindow {
  readonly from: Date;
  readonly to: Date;
}

export interface BookPage {
  readonly lines: readonly BookLine[];
  /** Where the next page begins; without it this was the last. */
  readonly next?: string;
}

/**
 * A rail whose two sides are compared, line by line: what we booked, and what the provider or the chain
 * says. A feature brings the rails that it books.
 */
export interface Rail {
  /** `gateway`, `payouts`, `bank-link`, `exchange`, `card-network`, … */
  readonly name: string;
  /** What may differ in one line without being a break, in units of the asset. */
  readonly toleranceUnits: bigint;
  /** How long one side may be behind the other before the difference is a break. */
  readonly graceMs: number;
  /** How many days the sides may date one movement apart; 1 unless it says so, for midnight in between. */
  readonly daysApart?: number;
  /**
   * Whether anything has ever gone over it. The other side of an unused one is not asked, so that
   * what speaks to it is not loaded.
   */
  isUsed(db: Db): Promise<boolean>;
  /**
   * At most 1,000 lines by keyset, never by offset, all of them within the window; the same line in a later
   * window has its values of that moment. A line that is missing when a window is read again counts as
   * withdrawn, so `theirs` answers `unknown` rather than an incomplete page.
   */
  ours(db: Db, window: BookWindow, after?: string): Promise<BookPage>;
  theirs(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
}
