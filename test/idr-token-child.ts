import { createPolicyDecisions } from '#kernel/policies/policies.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
/** A process of its own for the crash test of rupiah tokens: drives one flow, and hangs at the given point. */

import { createNetwork, type ManagedNetwork } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { createIdrToken } from '#features/ramps/idr-token/idr-token.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createInboxes } from '#kernel/effects/inbox.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createMetrics } from '#kernel/metrics.ts';
import { readPriceList } from '#kernel/money/price-list.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly mnemonic: string;
  readonly rpcUrl: string;
  readonly gatewayUrl: string;
  /** How far the service's clock is ahead. */
  readonly aheadMs: number;
  /** The reference of the driven flow; or the id of the refund whose tokens are taken back. */
  readonly reference: string;
  readonly drives: 'flow' | 'take-back';
  /** The call at which it hangs: before it, or after it. */
  readonly hangs: 'before' | 'after';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { db, pool } = openDatabase(orders.databaseUrl);
const log = createLog('silent');
const clock = createClock(orders.aheadMs);
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
const network = createNetwork({
  db,
  log,
  dataDir: orders.dataDir,
  keys: platformKeys(orders.mnemonic),
  rpcUrls: { amoy: orders.rpcUrl },
});
const gateway = xendit({
  url: () => orders.gatewayUrl,
  key: config.GATEWAY_KEY,
  callbackToken: config.GATEWAY_CALLBACK_TOKEN,
  clock,
});
const common = { db, clock, log };
const jobs = createJobs({ ...common, pool });
const effects = createEffects({ ...common, jobs });
const sagas = createSagas({ ...common, jobs, effects });
const inboxes = createInboxes({ ...common, jobs });
const hangs = hangingGateway(gateway);
const {
  machines = [],
  effects: own = [],
  inboxes: heard = [],
} = createIdrToken({
  quotas: createQuotas({ clock, log, config }),
  prices: readPriceList(config),
  policies: createPolicyDecisions({
    ...common,
    vault: createVault(`1:${Buffer.alloc(32).toString('base64')}`),
    metrics: createMetrics(),
  }),
  fx: exchangeRates({ url: () => 'http://127.0.0.1:9', clock }),
  ...common,
  metrics: createMetrics(),
  config,
  jobs,
  effects,
  sagas,
  inboxes,
  evm: hangingChain(network),
  gateway: hangs,
  tokenVendor: undefined,
  payouts: createPayouts({ ...common, config, inboxes, gateway: hangs }),
});
inboxes.register(heard);
sagas.register(machines);
effects.register(own);
const [takeBack] = own;
if (orders.drives === 'flow') await sagas.drive(orders.reference, { patienceMs: 60_000 });
else if (takeBack) await effects.drive(takeBack, orders.reference);

function hangingChain(real: ManagedNetwork): ManagedNetwork {
  const { amoy } = real.chains;
  const { sender } = amoy;
  const send: typeof sender.send = (request) => hanging(() => sender.send(request));
  return { ...real, chains: { ...real.chains, amoy: { ...amoy, sender: { ...sender, send } } } };
}

function hangingGateway(real: Gateway): Gateway {
  return {
    ...real,
    createPayment: (request) => hanging(() => real.createPayment(request)),
    expirePayment: (reference) => hanging(() => real.expirePayment(reference)),
    createPayout: (request) => hanging(() => real.createPayout(request)),
  };
}

/** Reports it, and stays until it is killed. */
async function hanging<T>(call: () => Promise<T>): Promise<T> {
  if (orders.hangs === 'after') await call();
  setInterval(() => undefined, 1000);
  process.stdout.write('hangs\n');
  return new Promise(() => undefined);
}
