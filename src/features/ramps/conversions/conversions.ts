import type { Destinations } from '#chains/destinations.ts';
import type { Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangePort } from '#providers/exchange/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { BankAccount, Gateway } from '#providers/gateway/port.ts';
import { runDaily } from './daily.ts';
import type { PaymentBooks } from './deps.ts';
import { CONVERSION_EVENTS, CONVERSION_PAYMENTS } from './events.ts';
import { CONVERSION_HOLDS } from './holds-store.ts';
import { jobRoutes } from './job-routes.ts';
import { createNextSteps, type Steps } from './next-step.ts';
import { orderEffect } from './order.ts';
import { conversionPayer, payoutEffect } from './payout.ts';
import { CONVERSIONS_PERSON_DATA } from './person-data.ts';
import { pollAll } from './poll.ts';
import { exchangeRail } from './rail.ts';
import { CONVERSIONS_WORDS } from './reference.ts';
import { whereConfigured } from './require-outcome.ts';
import { type ConversionRouteDeps, conversionRoutes } from './routes.ts';
import { RUPIAH } from './terms.ts';
import { runTrades } from './trades.ts';
import { withdrawalEffect } from './withdrawal.ts';

export { CONVERSION_HOLDS } from './holds-store.ts';

type Given = Pick<
  Kernel,
  'db' | 'clock' | 'log' | 'effects' | 'config' | 'quotas' | 'prices' | 'policies'
> & {
  readonly gateway: Gateway;
  readonly payouts: Payouts;
  readonly exchange: ExchangePort;
  readonly evm: Destinations;
  readonly isExchangeReady: boolean;
  readonly payments: PaymentBooks;
  readonly fx: ExchangeRates;
};

/** Converts users' rupiah to USDC in their own wallets, at an exchange. */
export function createConversions(given: Given): Feature {
  const deps = conversionDeps(given);
  const payer = conversionPayer(deps);
  given.payouts.join(payer);
  return {
    name: 'conversions',
    personData: CONVERSIONS_PERSON_DATA,
    reference: CONVERSIONS_WORDS,
    payments: [{ object: 'conversion', rail: 'exchange', source: CONVERSION_PAYMENTS }],
    events: CONVERSION_EVENTS,
    holds: [CONVERSION_HOLDS],
    routes: [...conversionRoutes(deps), ...jobRoutes(deps)],
    effects: [deps.payoutEffect, deps.orders, deps.withdrawals],
    schedules: schedulesOf(deps),
    rails: [exchangeRail(given.exchange), given.payouts.rail(payer)],
  };
}

function conversionDeps(given: Given): ConversionRouteDeps {
  const { config } = given;
  const base = {
    ...given,
    bank: bankOf(config.EXCHANGE_BANK),
    slippagePoints: BigInt(config.EXCHANGE_SLIPPAGE) * 100n,
    tolerance: BigInt(config.RECONCILIATION_TOLERANCE) * RUPIAH,
  };
  const withdrawals = withdrawalEffect(base);
  // A trade begins the next step, which may be another trade.
  const after: { steps?: Steps } = {};
  const orders = orderEffect(base, async (tx, job) => {
    if (!after.steps) throw new Error('Trades are not joined yet');
    return after.steps.afterTrade(tx, job);
  });
  const steps = createNextSteps(base, { order: orders, withdrawal: withdrawals });
  after.steps = steps;
  return { ...base, payoutEffect: payoutEffect(base), orders, withdrawals, steps };
}

/** `BCA:8801000000:Exchange`, which the settings have checked. */
function bankOf(text: string): BankAccount {
  const [bankCode = '', accountNumber = '', ...name] = text.split(':');
  return { bankCode, accountNumber, accountName: name.join(':') };
}

const EVERYBODY = {};

const schedulesOf = (deps: ConversionRouteDeps) => [
  defineSchedule({
    name: 'conversions.daily',
    cron: '0 8 * * *',
    timezone: 'Asia/Jakarta',
    run: ({ signal }) =>
      whereConfigured(deps.log, async () => {
        const { day, users, jobs, failures } = await runDaily(deps, EVERYBODY, signal);
        deps.log.info({ day, users, jobs, failures }, 'Daily conversion has run');
      }),
  }),
  defineSchedule({
    name: 'conversions.poll',
    cron: '0 * * * *',
    run: ({ signal }) =>
      whereConfigured(deps.log, async () => {
        await pollAll(deps, signal);
        await runTrades(deps, EVERYBODY, signal);
      }),
  }),
];
