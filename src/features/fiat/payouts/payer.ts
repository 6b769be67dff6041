import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import type { BankTransfers } from '#providers/gateway/port.ts';
import type { PayoutRow } from './payout-store.ts';

/** The end of a pay-out, by the gateway or, in mock mode, by a caller. */
export interface PayoutResult {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly failure?: string;
}

/** The postings of a late payment; or its loss, in units, where the money was refunded before. */
export type PaidLate = { readonly operations: readonly Operation[] } | { readonly lost: bigint };

/** A feature that pays banks. */
export interface PayoutPayer {
  /** The value of its rows. */
  readonly name: string;
  /** Whether a reference is one of its own; those of other payers look different. */
  owns(reference: string): boolean;
  /** A line of the gateway's books without a payer is a difference of this one's. */
  readonly answersForOthers?: boolean;
  /** Its part of the gateway's books. */
  readonly rail: Pick<Rail, 'name' | 'graceMs' | 'isUsed'>;
  /** In mock mode a caller's notification settles the pay-out; without this the gateway alone does. */
  readonly trustsCallers?: boolean;
  /** Makes its transfers in the gateway's place, as an issuer does for the tokens that it redeems. */
  readonly transfers?: BankTransfers;
  /** The end of a pay-out that is not booked as ended. Returns whether it is new. */
  notify(tx: Db, payout: PayoutRow, result: PayoutResult): Promise<boolean>;
  /**
   * The bank has returned a paid pay-out: the gateway has the money again. Changes its own row, once, and returns
   * the postings; undefined where that was done before.
   */
  bookReturn(tx: Db, payout: PayoutRow, failure: string): Promise<readonly Operation[] | undefined>;
  /** The gateway has paid a pay-out that is booked as failed. Changes its own row, where that is still open. */
  bookLate(tx: Db, payout: PayoutRow): Promise<PaidLate>;
}
