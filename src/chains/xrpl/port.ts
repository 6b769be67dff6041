import type { Outcome } from '#kernel/effects/outcome.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Destinations } from '../destinations.ts';
import type { Chain } from '../port.ts';
import type { JournalRow } from './journal.ts';
import type { XrplAccount } from './keys.ts';
import type { Room } from './room.ts';
import type { XrplAddresses } from './setup.ts';
import type { SignedText } from './signed-message.ts';
import type { TaggedAddress } from './tagged-address.ts';

/**
 * The XRP Ledger, as the rest of the house sees it. Signing, submitting and looking up stay behind this file
 * (test/tidy.test.ts).
 */

/** Who a payment of USDC goes to: one of the platform's, or an address. */
export interface XrplPayment {
  /** There is one payment of it, however often it is asked for. */
  readonly reference: string;
  readonly purpose: string;
  readonly from: XrplAccount;
  readonly to: XrplAccount | TaggedAddress;
  /** Millionths of a USDC. */
  readonly units: bigint;
}

/** A payment that we signed. */
export type XrplTransaction = Pick<
  JournalRow,
  'reference' | 'hash' | 'status' | 'result' | 'delivered' | 'response' | 'ledger_index'
>;

/** The XRP Ledger, as the features see it, and where nothing is sent there. */
export interface XrplNetwork extends Destinations {
  /** Its ledger is one of our own, whose coins are worth nothing. */
  readonly isOwn: boolean;
  /** Whether it answers, with the platform's accounts funded and set up, the trust line among it. */
  prepare(): Promise<Outcome<XrplAddresses>>;
  /** How much USDC an address may get, and how it has to be named; nothing without account or trust line. */
  roomOf(address: string): Promise<Outcome<Room | undefined>>;
  /** Whether a key that may sign for the account has signed the text. */
  isSignedFor(signed: SignedText): Promise<Outcome<boolean>>;
  /** In mock mode and the sandbox only: an account and a trust line, as its holder would open them. */
  openLine(address: string): Promise<Outcome<void>>;
  /** Pays once; `refused` with the ledger's code where it is in a ledger as failed. */
  pay(payment: XrplPayment): Promise<Outcome<XrplTransaction>>;
  /** `done(undefined)` where it was never signed, or certainly never happened. */
  findPayment(reference: string): Promise<Outcome<XrplTransaction | undefined>>;
  /** The hash under which it is known since it was signed, by the journal alone. */
  hashOf(reference: string): Promise<string | undefined>;
  /** The other way, also of one that has expired. */
  referenceOf(hash: string): Promise<string | undefined>;
  /**
   * What a payment of the platform's burns, in drops, by the ledger's fee of now. Accounts and trust lines of the
   * platform's own hold a reserve each, once; those of others are theirs to open.
   */
  paymentFee(): bigint;
  /** Of the platform's address, in millionths. */
  balance(): Promise<Outcome<bigint>>;
  /** What the platform's address got (positive) and paid, by the hashes of the transactions. */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
  /** Drops what of ended payments has served its time. */
  forgetOld(): Promise<void>;
}

export interface ManagedXrpl extends XrplNetwork {
  /** What it has in common with all other chains. */
  readonly chain: Chain;
  stop(): Promise<void>;
}

export { isXrplAddress } from './address.ts';
export { USDC_CODE } from './currency.ts';
export { paymentLine } from './payment-line.ts';
export type { XrplAddresses } from './setup.ts';
export {
  type DestinationFault,
  readDestination,
  TAG_MAX,
  type TaggedAddress,
} from './tagged-address.ts';
