import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Outcome } from '../../kernel/provider-call.ts';

/** The networks on which it pays USDC out, by the contract's codes. */
export type ExchangeNetwork = 'ERC20' | 'TRC20' | 'BEP20' | 'POLYGON' | 'SOLANA';

/** The exchange's holdings for us, reserved for orders or not. Whole units. */
export interface ExchangeBalances {
  readonly idr: bigint;
  readonly usdc: bigint;
}

/** The look-up key of a request: our reference, and the start of the search. */
export interface Sought {
  readonly reference: string;
  readonly since: Date;
}

export interface Purchase {
  /** Ours. The exchange stores it and accepts it again: an order is never sent twice. */
  readonly reference: string;
  /** The amount to spend, in units of IDR. */
  readonly units: bigint;
}

/** A finished purchase of USDC: it may have bought less than ordered, or nothing. */
export interface Bought {
  /** The exchange's id of the order. */
  readonly id: string;
  /** Units of IDR that it took, its fee included if that is in IDR. */
  readonly spent: bigint;
  /** Units of USDC before its fee. */
  readonly bought: bigint;
  /** Its fee in units of each. */
  readonly feeIdr: bigint;
  readonly feeUsdc: bigint;
}

/** An offer of the book: so much USDC for so many rupiah. */
export interface ExchangeOffer {
  readonly spent: bigint;
  readonly bought: bigint;
}

export interface WithdrawalRequest {
  readonly reference: string;
  readonly network: ExchangeNetwork;
  readonly address: string;
  /** Units of USDC that leave the balance: the network's fee comes out of it. */
  readonly units: bigint;
}

export interface Withdrawal {
  /** The exchange's name of it. */
  readonly id: string;
  readonly status: 'PROCESSING' | 'COMPLETED' | 'FAILED';
  /** Units that arrive, and the fee; together the requested amount. */
  readonly arriving: bigint;
  readonly fee: bigint;
  /** Present once it is sent. */
  readonly txHash?: string;
}

/** Rupiah that came in. */
export interface Deposit {
  /** The exchange's name of it. */
  readonly id: string;
  /** The bank's text with it: our reference, or any other. */
  readonly note: string;
  readonly units: bigint;
  readonly at: Date;
}

/** Deposits since some time, oldest first. */
export interface Deposits {
  readonly arrived: readonly Deposit[];
  /** False if the exchange has more pages than we read, or never ends the list: later ones are missing. */
  readonly isWhole: boolean;
}

/** Buys USDC with rupiah and pays it out. Refusals carry the exchange's own code. */
export interface ExchangePort {
  balances(): Promise<Outcome<ExchangeBalances>>;
  /** The current purchase for so many units of IDR, without fees; less than all of them if the book is short. */
  price(units: bigint): Promise<Outcome<ExchangeOffer>>;
  /** At the market. `unknown` while it is still being filled: look it up. Not to be repeated. */
  buy(purchase: Purchase): Promise<Outcome<Bought>>;
  /** `done(undefined)` when the exchange knows none of that reference. */
  findPurchase(sought: Sought): Promise<Outcome<Bought | undefined>>;
  /** Answers that it is PROCESSING. Not to be repeated. */
  withdraw(request: WithdrawalRequest): Promise<Outcome<{ readonly id: string }>>;
  /** `done(undefined)` when the exchange knows none of that reference. */
  findWithdrawal(sought: Sought): Promise<Outcome<Withdrawal | undefined>>;
  deposits(since: Date): Promise<Outcome<Deposits>>;
  /**
   * Its books: kinds `deposit`, `trade` (one line of each asset) and `withdrawal`, by our references,
   * fees included.
   */
  statement(window: BookWindow, after?: string): Promise<Outcome<BookPage>>;
}
