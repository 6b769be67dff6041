/** A process of its own for the crash test: has banks asked for the payments of a batch, each of which hangs at the given point. */

import { advanceBatch } from '#features/banking/batches/advance.ts';
import { executing } from '#features/banking/batches/executing.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createInboxes } from '#kernel/effects/inbox.ts';
import { done } from '#kernel/effects/outcome.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';

export interface BatchOrders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly masterKey: string;
  readonly aheadMs: number;
  readonly batch: string;
  /** One after the other: each begins when the one before hangs. */
  readonly flows: readonly HangingItem[];
}

export interface HangingItem {
  readonly id: string;
  /** The request for the payout, or its look-up. */
  readonly at: 'payout' | 'ask';
  /** Before the call leaves, or after its answer. */
  readonly hangs: 'before' | 'after';
  /** The bank refuses at once. */
  readonly bankFails?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as BatchOrders;
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
const { db, pool } = openDatabase(orders.databaseUrl);
const [clock, log] = [createClock(orders.aheadMs), createLog('silent')];
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, jobs, clock, log });
const sagas = createSagas({ db, jobs, effects, clock, log });
const inboxes = createInboxes({ db, jobs, clock, log });
const vault = createVault(orders.masterKey);
const bank = xendit({
  url: () => `${orders.sandboxUrl}/gateway`,
  key: config.GATEWAY_KEY,
  clock,
  callbackToken: config.GATEWAY_CALLBACK_TOKEN,
});
const gateway: Gateway = {
  ...bank,
  findPayout: (reference) => hanging('ask', reference, () => bank.findPayout(reference)),
  createPayout: (request) =>
    hanging('payout', request.reference, async () => {
      if (!flowOf(request.reference).bankFails) return bank.createPayout(request);
      return done({ ...request, id: 'none', status: 'FAILED' as const });
    }),
};
const payouts = createPayouts({ db, config, log, inboxes, gateway });
const deps = executing({ db, clock, config, log, jobs, sagas, vault, payouts });
sagas.register([deps.paying, deps.crediting]);
jobs.register([deps.advancing]);
const arrivals = new Map<string, () => void>();

await advanceBatch(deps, orders.batch);
for (const flow of orders.flows) {
  const { promise: hangs, resolve } = Promise.withResolvers<void>();
  arrivals.set(flow.id, resolve);
  void begin(flow);
  await hangs;
}
setInterval(() => undefined, 1000);
process.stdout.write('hangs\n');

async function begin({ id, at }: HangingItem): Promise<void> {
  await sagas.drive(id, { patienceMs: 10_000 });
  if (at !== 'ask') return;
  // The bank sends a notification of the payout that the flow waits for.
  await sagas.signal(db, id, 'payout', 'news', {});
  await sagas.drive(id, { patienceMs: 10_000 });
}

function flowOf(reference: string): HangingItem {
  const flow = orders.flows.find(({ id }) => id === reference);
  if (!flow) throw new Error(`${reference} is of no flow`);
  return flow;
}

async function hanging<T>(name: string, reference: string, call: () => Promise<T>): Promise<T> {
  const { at, hangs } = flowOf(reference);
  if (name !== at) return call();
  if (hangs === 'after') await call();
  arrivals.get(reference)?.();
  return new Promise(() => undefined);
}
