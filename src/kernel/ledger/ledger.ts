import type { Cause } from '../cause.ts';
import type { Asset, Money } from '../money/money.ts';
import { convert } from '../money/money.ts';

/** By how many units an account changes; `held` is the part of it that is promised elsewhere. */
export interface Leg {
  readonly account: number;
  readonly amount: bigint;
  readonly held?: bigint;
}

/** Posted all or nothing, once per key. The legs sum to zero in each asset. */
export interface Operation {
  /** Scope and id of what is posted, such as `card-top-up:812`. */
  readonly key: string;
  readonly kind: string;
  readonly legs: readonly Leg[];
  /** Kept with the transfer for people and reports; a repeated key is not compared by it. */
  readonly meta?: object;
  /** The request or job behind it, where that is not the current one. */
  readonly cause?: Cause | undefined;
}

/** What the posting function answers, by its numbers. */
export const STATUSES = [
  'posted',
  'duplicate',
  'key-reused',
  'insufficient-funds',
  'unknown-account',
  'closed-account',
  'unbalanced',
  'held-underflow',
  'invalid-amount',
  'malformed',
  'frozen-account',
] as const;
export type Status = (typeof STATUSES)[number];

/** A duplicate moved nothing now: `transfer_id` is the transfer that the key posted before. */
export interface Posted {
  readonly status: 'posted' | 'duplicate';
  readonly transfer_id: number;
}

/** Moves `amount` units of one asset. */
export function transfer(from: number, to: number, amount: bigint): Leg[] {
  mustBePositive(amount);
  return [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
}

/** The payer pays `amount`; `fee` of it goes to `fees`, the rest to the payee. */
export function withFee(payment: {
  from: number;
  to: number;
  fees: number;
  amount: bigint;
  fee: bigint;
}): Leg[] {
  const { from, to, fees, amount, fee } = payment;
  if (fee < 0n || fee >= amount) throw new Error('A fee is less than the amount it comes from');
  if (fee === 0n) return transfer(from, to, amount);
  return [
    { account: from, amount: -amount },
    { account: to, amount: amount - fee },
    { account: fees, amount: fee },
  ];
}

/** Sets `amount` aside: still the account's, no longer available. */
export function hold(account: number, amount: bigint): Leg[] {
  mustBePositive(amount);
  return [{ account, amount: 0n, held: amount }];
}

/** Pays out of what was set aside. */
export function capture(from: number, to: number, amount: bigint): Leg[] {
  mustBePositive(amount);
  return [
    { account: from, amount: -amount, held: -amount },
    { account: to, amount },
  ];
}

/** Gives back what was set aside. */
export function release(account: number, amount: bigint): Leg[] {
  mustBePositive(amount);
  return [{ account, amount: 0n, held: -amount }];
}

export interface LedgerExchange<B extends Asset> {
  readonly legs: Leg[];
  /** For the operation's `meta`: the amounts follow from this rate. */
  readonly meta: { rate: string; sold: string; bought: string };
  readonly bought: Money<B>;
}

/**
 * Sells `sell` at `rate` (units of `asset` for one of the sold asset). The house stands between
 * with one position account per asset, so each asset sums to zero for itself. What is less than a
 * unit stays with the house.
 */
export function exchangeOperation<B extends Asset>(trade: {
  from: number;
  to: number;
  soldPosition: number;
  boughtPosition: number;
  sell: Money;
  rate: string;
  asset: B;
}): LedgerExchange<B> {
  const { from, to, sell, rate } = trade;
  const bought = convert(sell, rate, trade.asset, 'down');
  return {
    legs: [
      ...transfer(from, trade.soldPosition, sell.units),
      ...transfer(trade.boughtPosition, to, bought.units),
    ],
    meta: { rate, sold: sell.units.toString(), bought: bought.units.toString() },
    bought,
  };
}

function mustBePositive(amount: bigint): void {
  if (amount <= 0n) throw new Error('A posted amount is more than zero');
}
