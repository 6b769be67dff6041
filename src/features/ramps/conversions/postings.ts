import {
  capture,
  exchangeOperation,
  hold,
  type Operation,
  release,
  transfer,
} from '#kernel/ledger/ledger.ts';
import { formatRate } from '#kernel/money/rate.ts';
import type { Accounts } from './accounts.ts';

/** As much of a job as its postings are made of. */
interface Paying {
  readonly job_id: number;
  readonly reference_id: string;
  readonly account_id: number;
  readonly amount: bigint;
}

const keyOf = ({ job_id }: Paying, step: string): string => `conversion:${job_id}:${step}`;
const metaOf = ({ job_id, reference_id }: Paying) => ({ job_id, reference: reference_id });

/** Set aside in the wallet, before anything leaves. */
export const conversionHoldOperation = (job: Paying): Operation => ({
  key: keyOf(job, 'hold'),
  kind: 'conversion-hold',
  legs: hold(job.account_id, job.amount),
  meta: metaOf(job),
});

/** Nothing has left, and nothing will. */
export const conversionReleaseOperation = (job: Paying): Operation => ({
  key: keyOf(job, 'release'),
  kind: 'conversion-release',
  legs: release(job.account_id, job.amount),
  meta: metaOf(job),
});

/** The gateway has paid out: the wallet is debited, and its owner is owed as much. */
export const payoutOperation = (job: Paying, house: Accounts): Operation => ({
  key: keyOf(job, 'payout'),
  kind: 'conversion-payout',
  legs: [
    ...capture(job.account_id, house.owedIdr, job.amount),
    ...transfer(house.transit, house.gateway, job.amount),
  ],
  meta: metaOf(job),
});

/** A bank has sent it back to the gateway. */
export const payoutBackOperation = (job: Paying, house: Accounts): Operation => ({
  key: keyOf(job, 'payout-back'),
  kind: 'conversion-payout-back',
  legs: [
    ...transfer(house.owedIdr, job.account_id, job.amount),
    ...transfer(house.gateway, house.transit, job.amount),
  ],
  meta: metaOf(job),
});

/**
 * The same after the exchange has confirmed it: the owner has what was confirmed, and what the exchange may
 * lack stands in transit until people have settled it.
 */
export const lateReturnOperation = (job: Paying, house: Accounts): Operation => ({
  key: keyOf(job, 'payout-returned-late'),
  kind: 'conversion-payout-returned-late',
  legs: transfer(house.gateway, house.transit, job.amount),
  meta: metaOf(job),
});

/** It has come to the exchange. */
export const arrivalOperation = (job: Paying, house: Accounts): Operation => ({
  key: keyOf(job, 'arrival'),
  kind: 'conversion-arrival',
  legs: transfer(house.exchangeIdr, house.transit, job.amount),
  meta: metaOf(job),
});

/** What is too little for the exchange is the owner's in the wallet, and ours at the exchange. */
export const restOperation = (job: Paying, house: Accounts, rest: bigint): Operation => ({
  key: keyOf(job, 'rest'),
  kind: 'conversion-rest',
  legs: transfer(house.owedIdr, job.account_id, rest),
  meta: metaOf(job),
});

interface Trade {
  readonly reference: string;
  readonly spent: bigint;
  readonly bought: bigint;
  readonly feeIdr: bigint;
  readonly feeUsdc: bigint;
}

/** So many decimals that what was bought follows from the rate to the unit. */
const RATE_DIGITS = 30;

/** USDC for one rupiah, as it was traded. */
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

/** USDC that the owner has got, and what the network took for it. */
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
