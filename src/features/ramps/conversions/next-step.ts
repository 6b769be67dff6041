import type { Db } from '#kernel/db/db.ts';
import type { AnyEffect } from '#kernel/effects/effect.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { conversionAccounts } from './accounts.ts';
import type { ConversionDeps } from './deps.ts';
import { insertOrders, insertWithdrawals } from './order-store.ts';
import { restOperation } from './postings.ts';
import { type Ready, readyOf } from './step-store.ts';
import { type ConversionJob, deferJob, markTraded } from './store.ts';
import { MIN_TRADE } from './terms.ts';

/** Begins the step after a trade; returns its postings. */
export type NextStep = (tx: Db, job: ConversionJob) => Promise<readonly Operation[]>;

export interface ExchangeEffects {
  readonly order: AnyEffect;
  readonly withdrawal: AnyEffect;
}

const REFILL_MS = 60_000;

const leftOf = ({ amount, spent, returned }: ConversionJob): bigint => amount - spent - returned;

/** Orders for jobs with something left to trade, withdrawals for the others, each with its effect. */
export function createNextSteps(deps: ConversionDeps, kinds: ExchangeEffects) {
  const { clock } = deps;
  return {
    async afterTrade(tx: Db, job: ConversionJob): Promise<readonly Operation[]> {
      if (leftOf(job) < MIN_TRADE) return finishTrading(deps, kinds, tx, job);
      // The order book was empty: it gets a moment to fill up again.
      const at = new Date(clock.now().getTime() + REFILL_MS);
      await beginOrders(deps, kinds, tx, { jobs: [job], at });
      return [];
    },
    /** The next step of each of those jobs, which the caller has locked. */
    async begin(tx: Db, ready: readonly Ready[]): Promise<void> {
      const jobs = ready.filter(({ status }) => status === 'TRADING');
      await beginOrders(deps, kinds, tx, { jobs });
      const others = ready.filter(({ status }) => status === 'WITHDRAWING');
      await beginWithdrawals(deps, kinds, tx, others);
    },
  };
}

async function beginOrders(
  { clock, effects }: ConversionDeps,
  { order }: ExchangeEffects,
  tx: Db,
  { jobs, at }: { readonly jobs: readonly ConversionJob[]; readonly at?: Date },
): Promise<void> {
  if (jobs.length === 0) return;
  const wanted = jobs.map((job) => ({ job_id: job.job_id, amount: leftOf(job) }));
  const orders = await insertOrders(tx, wanted, clock.now());
  const references = orders.map(({ reference }) => reference);
  await effects.beginAll(tx, order, references, { left: at ? { at } : {} });
}

/** A job without a primary wallet waits for one; its USDC stays owed to the user. */
async function beginWithdrawals(
  { clock, effects }: ConversionDeps,
  { withdrawal }: ExchangeEffects,
  tx: Db,
  jobs: readonly Ready[],
): Promise<void> {
  const wanted = jobs.flatMap(({ job_id, bought, fee_usdc, to_network, to_address }) =>
    to_network === null || to_address === null
      ? []
      : [{ job_id, amount: bought - fee_usdc, network: to_network, wallet_address: to_address }],
  );
  if (wanted.length > 0) {
    const made = await insertWithdrawals(tx, wanted, clock.now());
    const references = made.map(({ reference }) => reference);
    await effects.beginAll(tx, withdrawal, references, { left: {} });
  }
  for (const { job_id, to_network } of jobs)
    if (to_network === null) await deferJob(tx, job_id, { ...NO_WALLET, tryAt: null });
}

async function finishTrading(
  deps: ConversionDeps,
  kinds: ExchangeEffects,
  tx: Db,
  job: ConversionJob,
): Promise<readonly Operation[]> {
  const rest = leftOf(job);
  await markTraded(tx, job.job_id, rest);
  await beginWithdrawals(deps, kinds, tx, [await readyOf(tx, job)]);
  return rest > 0n ? [restOperation(job, await conversionAccounts(tx), rest)] : [];
}

export type Steps = ReturnType<typeof createNextSteps>;

const NO_WALLET = {
  code: 'NO_PRIMARY_WALLET',
  message: 'The user has not said where the USDC is to go',
};
