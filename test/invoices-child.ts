/** A process of its own for the crash test: goes on with payments of invoices, each of which hangs at the given point. */

import { closeTriesJob, invoiceHints } from '#features/commerce/invoices/gateway/inbox.ts';
import { invoiceTryMachine } from '#features/commerce/invoices/gateway/machine.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
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
import { createPolicyDecisions } from '#kernel/policies/policies.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { transact } from '#kernel/transact.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';

export interface InvoiceOrders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly masterKey: string;
  readonly aheadMs: number;
  /** One after the other: each begins when the one before hangs. */
  readonly flows: readonly HangingTry[];
}

export interface HangingTry {
  readonly id: string;
  /** The request, its end by time, or the look-up of its money after a call-back. */
  readonly at: 'create' | 'expire' | 'receipts';
  /** Before the call leaves, or after its answer. */
  readonly hangs: 'before' | 'after';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as InvoiceOrders;
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
const { db, pool } = openDatabase(orders.databaseUrl);
const [clock, log] = [createClock(orders.aheadMs), createLog('silent')];
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, jobs, clock, log });
const sagas = createSagas({ db, jobs, effects, clock, log });
const inboxes = createInboxes({ db, jobs, clock, log });
const provider = xendit({
  url: () => `${orders.sandboxUrl}/gateway`,
  key: config.GATEWAY_KEY,
  clock,
  callbackToken: config.GATEWAY_CALLBACK_TOKEN,
});
const gateway: Gateway = {
  ...provider,
  createPayment: (request) =>
    hanging('create', request.reference, () => provider.createPayment(request)),
  expirePayment: (reference) =>
    hanging('expire', reference, () => provider.expirePayment(reference)),
  receipts: (reference) => hanging('receipts', reference, () => provider.receipts(reference)),
};
const common = { db, config, clock, log, jobs, sagas, inboxes, gateway, isGatewayReady: true };
const given = {
  ...common,
  payouts: createPayouts({ db, config, log, inboxes, gateway }),
  policies: createPolicyDecisions({
    ...common,
    vault: createVault(orders.masterKey),
    metrics: createMetrics(),
  }),
  quotas: createQuotas({ clock, log, config }),
  prices: readPriceList(config),
  fx: exchangeRates({ url: () => 'http://127.0.0.1:9', clock }),
};
const closing = closeTriesJob(given, () => hints);
const hints = invoiceHints({ ...given, closing });
jobs.register([closing]);
inboxes.register([hints]);
sagas.register([invoiceTryMachine({ ...given, closing })]);
const arrivals = new Map<string, () => void>();

for (const flow of orders.flows) {
  const { promise: hangs, resolve } = Promise.withResolvers<void>();
  arrivals.set(flow.id, resolve);
  void goOn(flow);
  await hangs;
}
setInterval(() => undefined, 1000);
process.stdout.write('hangs\n');

async function goOn({ id, at }: HangingTry): Promise<void> {
  if (at !== 'receipts') return void (await sagas.drive(id, { patienceMs: 10_000 }));
  const event = { event: `${id}:PAID`, reference: id, status: 'PAID' };
  await transact(db, (tx) => inboxes.receive(tx, hints, id, event));
  await inboxes.handleNow(hints, id);
}

/** Reports it, and stays until it is killed. */
async function hanging<T>(
  at: HangingTry['at'],
  reference: string,
  call: () => Promise<T>,
): Promise<T> {
  const flow = orders.flows.find(({ id }) => id === reference);
  if (flow?.at !== at) return call();
  if (flow.hangs === 'after') await call();
  arrivals.get(reference)?.();
  return new Promise(() => undefined);
}
