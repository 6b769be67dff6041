/** A process of its own for the crash test: begins on- and off-ramps, each of which hangs at the given point. */

import { createXrplNetwork } from '#chains/xrpl/network.ts';
import type { XrplNetwork } from '#chains/xrpl/port.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { returningMachine, xrplBankFlow } from '#features/ramps/xrpl/bank-states.ts';
import { xrplOfframpMachine } from '#features/ramps/xrpl/offramp.ts';
import { xrplOnrampMachine } from '#features/ramps/xrpl/onramp.ts';
import type { OfframpInput } from '#features/ramps/xrpl/read-offramp.ts';
import { runXrplOrder } from '#features/ramps/xrpl/run.ts';
import { startOfframp } from '#features/ramps/xrpl/start-offramp.ts';
import { type OnrampInput, startOnramp } from '#features/ramps/xrpl/start-onramp.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createInboxes } from '#kernel/effects/inbox.ts';
import { done } from '#kernel/effects/outcome.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { readPriceList } from '#kernel/money/price-list.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';
import { sandboxHelp } from '#sandbox/chains/xrpl/sandbox-help.ts';

export interface Orders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly mnemonic: string;
  readonly aheadMs: number;
  /** One after the other: each begins when the one before hangs. */
  readonly flows: readonly FlowOrders[];
}

export interface FlowOrders {
  readonly id: string;
  readonly isMock?: boolean;
  readonly caller: UserCaller;
  readonly on?: OnrampInput;
  readonly off?: OfframpInput;
  /** The purpose of the payment at which it hangs, `payout`, or `ask` for its look-up. */
  readonly at: string;
  /** Before the call leaves, or after its answer. */
  readonly hangs: 'before' | 'after';
  /** The bank refuses at once. */
  readonly bankFails?: boolean;
  /** The fault of the ledger's server for it. */
  readonly fault?: string;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { sandboxUrl } = orders;
const config = loadConfig({ NODE_ENV: 'test', MOCK_MODE: 'false' });
const { db, pool } = openDatabase(orders.databaseUrl);
const [clock, log] = [createClock(orders.aheadMs), createLog('silent')];
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, jobs, clock, log });
const sagas = createSagas({ db, jobs, effects, clock, log });
const real = createXrplNetwork({
  db,
  log,
  mnemonic: orders.mnemonic,
  url: () => `${sandboxUrl.replace('http', 'ws')}/xrpl`,
  sandbox: sandboxHelp(() => sandboxUrl),
});
const xrpl: XrplNetwork = {
  ...real,
  pay: (payment) => hanging(payment.purpose, payment.reference, () => real.pay(payment)),
};
const bank = xendit({
  url: () => `${sandboxUrl}/gateway`,
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
const fx = exchangeRates({ url: () => `${sandboxUrl}/fx`, clock });
const inboxes = createInboxes({ db, jobs, clock, log });
const payouts = createPayouts({ db, config, log, inboxes, gateway });
const quotas = createQuotas({ clock, log, config });
const prices = readPriceList(config);
const deps = { db, sagas, clock, config, quotas, prices, xrpl, fx, payouts };
const bankEnd = xrplBankFlow(sagas, returningMachine(xrpl));
const [onramp, offramp] = [xrplOnrampMachine(xrpl), xrplOfframpMachine(deps, bankEnd)];
sagas.register([onramp, offramp]);
const request: RequestFacts = {
  id: 'crash',
  ip: '127.0.0.1',
  userAgent: 'test',
  headers: {},
  raw: Buffer.alloc(0),
};
const arrivals = new Map<string, () => void>();

for (const flow of orders.flows) {
  const { promise: hangs, resolve } = Promise.withResolvers<void>();
  arrivals.set(flow.id, resolve);
  if (flow.fault) await faults('POST', { provider: 'xrpl', kind: flow.fault, times: 1000 });
  void begin(flow);
  await hangs;
  if (flow.fault) await faults('DELETE');
}
setInterval(() => undefined, 1000);
process.stdout.write('hangs\n');

async function begin({ id, at, caller, on, off, isMock = false }: FlowOrders): Promise<void> {
  const own = { ...deps, config: { ...config, MOCK_MODE: isMock } };
  const common = { caller, request, id };
  if (on) await startOnramp({ ...own, machine: onramp }, common, on);
  if (off) await startOfframp({ ...own, machine: offramp }, common, off);
  await runXrplOrder(deps, id);
  if (at !== 'ask') return;
  // The bank sends a notification of the pay-out that the flow waits for.
  await sagas.signal(db, id, 'payout', 'news', {});
  await sagas.drive(id, { patienceMs: 10_000 });
}

function flowOf(reference: string): FlowOrders {
  const flow = orders.flows.find(({ id }) => reference.startsWith(id));
  if (!flow) throw new Error(`${reference} is of no flow`);
  return flow;
}

async function hanging<T>(name: string, reference: string, call: () => Promise<T>): Promise<T> {
  const { id, at, hangs } = flowOf(reference);
  if (name !== at) return call();
  if (hangs === 'after') await call();
  arrivals.get(id)?.();
  return new Promise(() => undefined);
}

function faults(method: string, body?: object) {
  return fetch(`${sandboxUrl}/faults`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
}
