import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import type { BankTransfers } from '#providers/gateway/port.ts';
import type { PayoutRow } from './payout-store.ts';

/** What the gateway says of a pay-out that has ended, or in mock mode a caller. */
export interface PayoutWord {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly failure?: string;
}

/** What is posted with it; or what is lost by it, in units, since the money had been given back before. */
export type PaidLate = { readonly operations: readonly Operation[] } | { readonly lost: bigint };

/** A feature that has the gateway pay out. */
export interface PayoutPayer {
  /** As its rows have it. */
  readonly name: string;
  /** Whether a reference is one of its own; nobody else's looks like that. */
  owns(reference: string): boolean;
  /** What the gateway's books have that is nobody's is a difference of this one's. */
  readonly answersForOthers?: boolean;
  /** Its part of the gateway's books. */
  readonly rail: Pick<Rail, 'name' | 'graceMs' | 'isUsed'>;
  /** In mock mode callers are taken at their word. Anybody else's pay-outs are asked about. */
  readonly believesCallers?: boolean;
  /** Makes its transfers in the gateway's place, as an issuer does for the tokens that it redeems. */
  readonly transfers?: BankTransfers;
  /** News of one that is not booked as ended. Answers whether they are new. */
  hear(tx: Db, payout: PayoutRow, word: PayoutWord): Promise<boolean>;
  /**
   * The bank has sent back what was booked as paid: the gateway has the money again. Changes its own row,
   * once, and answers what is to be posted with it; nothing where that was done before.
   */
  takeBack(tx: Db, payout: PayoutRow, failure: string): Promise<readonly Operation[] | undefined>;
  /** The gateway has paid out after all what is booked as failed. Changes its own row, where that is still open. */
  payLate(tx: Db, payout: PayoutRow): Promise<PaidLate>;
}
