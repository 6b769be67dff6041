import { createMetrics } from '#kernel/metrics.ts';
import { createPolicyDecisions } from '#kernel/policies/policies.ts';
import { createVault } from '#kernel/secrets/vault.ts';
/** A process of its own for the crash test: drives one call of a conversion, and hangs at the given point. */

import { listed } from '#chains/destinations.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { createConversions } from '#features/ramps/conversions/conversions.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createInboxes } from '#kernel/effects/inbox.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { readPriceList } from '#kernel/money/price-list.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { exchangeAdapter } from '#providers/exchange/adapter.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly kind: 'conversion-payout' | 'conversion-order' | 'conversion-withdrawal';
  readonly id: string;
  /** Before the call, after its answer, or after the booking. */
  readonly hangs: 'stored' | 'answered' | 'booked';
  readonly aheadMs: number;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { sandboxUrl } = orders;
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false', EXCHANGE_SLIPPAGE: '100' });
const { db, pool } = openDatabase(orders.databaseUrl);
const clock = createClock(orders.aheadMs);
const log = createLog('silent');
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, clock, log, jobs });
const inboxes = createInboxes({ db, clock, log, jobs });
const gateway = xendit({
  url: () => `${sandboxUrl}/gateway`,
  key: config.GATEWAY_KEY,
  callbackToken: config.GATEWAY_CALLBACK_TOKEN,
  clock,
});
const shop = exchangeAdapter({
  id: config.EXCHANGE_ID,
  url: () => `${sandboxUrl}/exchange`,
  key: config.EXCHANGE_KEY,
  secret: config.EXCHANGE_SECRET,
  clock,
  isLimited: false,
});
const hanging: Gateway = {
  ...gateway,
  createPayout: (request) => caught(() => gateway.createPayout(request)),
};
const feature = createConversions({
  quotas: createQuotas({ clock, log, config }),
  prices: readPriceList(config),
  policies: createPolicyDecisions({
    db,
    clock,
    log,
    vault: createVault(`1:${Buffer.alloc(32).toString('base64')}`),
    metrics: createMetrics(),
  }),
  evm: listed(() => []),
  db,
  clock,
  log,
  effects,
  config,
  isExchangeReady: true,
  gateway: hanging,
  payments: { unbooked: async () => new Map(), followUp: async () => undefined },
  fx: exchangeRates({ url: () => `${sandboxUrl}/fx`, clock }),
  payouts: createPayouts({ db, config, log, inboxes, gateway: hanging }),
  exchange: {
    ...shop,
    buy: (purchase) => caught(() => shop.buy(purchase)),
    withdraw: (request) => caught(() => shop.withdraw(request)),
  },
});
effects.register(feature.effects ?? []);
const [effect] = (feature.effects ?? []).filter(({ kind }) => kind === orders.kind);
if (!effect) throw new Error(`There is no ${orders.kind}`);
await effects.drive(effect, orders.id);
await hang();

async function caught<T>(call: () => Promise<T>): Promise<T> {
  if (orders.hangs === 'stored') await hang();
  const outcome = await call();
  if (orders.hangs === 'answered') await hang();
  return outcome;
}

/** Reports it, and stays until it is killed. */
function hang(): Promise<never> {
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  return new Promise(() => undefined);
}
