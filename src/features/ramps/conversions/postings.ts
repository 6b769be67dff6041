import {
  capture,
  exchangeOperation,
  hold,
  type Leg,
  type Operation,
  release,
  transfer,
} from '#kernel/ledger/ledger.ts';
import { formatRate } from '#kernel/money/rate.ts';
import type { Accounts } from './accounts.ts';

/** The columns of a job that its postings need. */
interface Paying {
  readonly job_id: number;
  readonly reference_id: string;
  readonly account_id: number;
  readonly amount: bigint;
}

const operation = (job: Paying, step: string, legs: readonly Leg[]): Operation => ({
  key: `conversion:${job.job_id}:${step}`,
  kind: `conversion-${step}`,
  legs,
  meta: { job_id: job.job_id, reference: job.reference_id },
});

/** Held in the wallet, before anything leaves. */
export const conversionHoldOperation = (job: Paying): Operation =>
  operation(job, 'hold', hold(job.account_id, job.amount));

/** Nothing has left, and nothing will. */
export const conversionReleaseOperation = (job: Paying): Operation =>
  operation(job, 'release', release(job.account_id, job.amount));

/** The gateway has paid out: the wallet is debited, and its owner is owed as much. */
export const payoutOperation = (job: Paying, house: Accounts): Operation =>
  operation(job, 'payout', [
    ...capture(job.account_id, house.owedIdr, job.amount),
    ...transfer(house.transit, house.gateway, job.amount),
  ]);

/** A bank has returned it to the gateway. */
export const payoutBackOperation = (job: Paying, house: Accounts): Operation =>
  operation(job, 'payout-back', [
    ...transfer(house.owedIdr, job.account_id, job.amount),
    ...transfer(house.gateway, house.transit, job.amount),
  ]);

/**
 * The same after the exchange has confirmed it: the owner keeps what was confirmed, and a shortage at the exchange
 * stays in transit until a person has settled it.
 */
export const lateReturnOperation = (job: Paying, house: Accounts): Operation =>
  operation(job, 'payout-returned-late', transfer(house.gateway, house.transit, job.amount));

/** It has arrived at the exchange. */
export const arrivalOperation = (job: Paying, house: Accounts): Operation =>
  operation(job, 'arrival', transfer(house.exchangeIdr, house.transit, job.amount));

/** A rest that the exchange does not trade is the owner's in the wallet, and ours at the exchange. */
export const restOperation = (job: Paying, house: Accounts, rest: bigint): Operation =>
  operation(job, 'rest', transfer(house.owedIdr, job.account_id, rest));

interface Trade {
  readonly reference: string;
  readonly spent: bigint;
  readonly bought: bigint;
  readonly feeIdr: bigint;
  readonly feeUsdc: bigint;
}

/** So many decimals that the rate gives the bought amount to the unit. */
const RATE_DIGITS = 30;

/** USDC for one rupiah, by the trade. */
export const conversionRateOf = ({ spent, feeIdr, bought }: Omit<Trade, 'reference'>): string => {
  const sold = spent - feeIdr;
  return formatRate({ numerator: bought, denominator: sold * 10n ** 4n }, RATE_DIGITS, 'up');
};

/** The exchange is its own position: it holds less of the one and more of the other. Fees apart. */
export function tradeOperations(trade: Trade, house: Accounts): Operation[] {
  const { reference, spent, bought, feeIdr, feeUsdc } = trade;
  const {
    legs,
    meta,
    bought: priced,
  } = exchangeOperation({
    from: house.owedIdr,
    to: house.owedUsdc,
    soldPosition: house.exchangeIdr,
    boughtPosition: house.exchangeUsdc,
    sell: { asset: 'IDR', units: spent - feeIdr },
    rate: conversionRateOf(trade),
    asset: 'USDC',
  });
  if (priced.units !== bought)
    throw new Error(`${reference}: the rate does not give what was bought`);
  const fees = [
    ...(feeIdr > 0n ? transfer(house.owedIdr, house.exchangeIdr, feeIdr) : []),
    ...(feeUsdc > 0n ? transfer(house.owedUsdc, house.exchangeUsdc, feeUsdc) : []),
  ];
  const key = `conversion-order:${reference}`;
  const trading = { key, kind: 'conversion-trade', legs, meta: { ...meta, reference } };
  if (fees.length === 0) return [trading];
  return [trading, { key: `${key}:fee`, kind: 'conversion-fee', legs: fees, meta: { reference } }];
}

/** USDC that has arrived at its owner, and the network's fee. */
export function withdrawalOperations(
  { reference, arrived, fee }: { reference: string; arrived: bigint; fee: bigint },
  house: Accounts,
): Operation[] {
  const key = `conversion-withdrawal:${reference}`;
  const out = (units: bigint) => transfer(house.owedUsdc, house.exchangeUsdc, units);
  const paid = { key, kind: 'conversion-withdrawal', legs: out(arrived), meta: { reference } };
  if (fee === 0n) return [paid];
  return [paid, { key: `${key}:fee`, kind: 'conversion-fee', legs: out(fee), meta: { reference } }];
}
