/** A process of its own for crash tests: has banks asked for withdrawals and refunds, each of which hangs at the given point. */

import { beginDue } from '#features/banking/withdrawals/begin.ts';
import { withdrawalFlow, withdrawalMachine } from '#features/banking/withdrawals/flow.ts';
import { nameAccount } from '#features/commerce/invoices/refunds/claim.ts';
import {
  invoiceRefundFlow,
  invoiceRefundMachine,
} from '#features/commerce/invoices/refunds/flow.ts';
import { requireInvoiceRefund } from '#features/commerce/invoices/refunds/refund-store.ts';
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
import { transact } from '#kernel/transact.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xendit } from '#providers/gateway/xendit.ts';

export interface WithdrawalOrders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly masterKey: string;
  readonly aheadMs: number;
  /** One after the other: each begins when the one before hangs. */
  readonly flows: readonly HangingWithdrawal[];
}

export interface HangingWithdrawal {
  readonly id: string;
  /** The request for the payout, or its look-up. */
  readonly at: 'payout' | 'ask';
  /** Before the call leaves, or after its answer. */
  readonly hangs: 'before' | 'after';
  /** The bank refuses at once. */
  readonly bankFails?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as WithdrawalOrders;
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
const deps = { clock, sagas, vault, log, payouts };
const paying = withdrawalMachine(deps, withdrawalFlow(deps));
const refunding = invoiceRefundMachine(deps, invoiceRefundFlow(deps));
sagas.register([paying, refunding]);
const ACCOUNT = { bankCode: 'BCA', accountNumber: '8800123456', accountName: 'Budi Santoso' };
const arrivals = new Map<string, () => void>();

for (const flow of orders.flows) {
  const { promise: hangs, resolve } = Promise.withResolvers<void>();
  arrivals.set(flow.id, resolve);
  void begin(flow);
  await hangs;
}
setInterval(() => undefined, 1000);
process.stdout.write('hangs\n');

async function begin({ id, at }: HangingWithdrawal): Promise<void> {
  if (id.startsWith('rfd_')) await beginRefund(id);
  else await transact(db, (tx) => beginDue({ clock, sagas, paying }, tx, id));
  await sagas.drive(id, { patienceMs: 10_000 });
  if (at !== 'ask') return;
  // The bank sends a notification of the payout that the flow waits for.
  await sagas.signal(db, id, 'payout', 'news', {});
  await sagas.drive(id, { patienceMs: 10_000 });
}

/** Its payer names an account. */
async function beginRefund(id: string): Promise<void> {
  const refund = await requireInvoiceRefund(db, id);
  await transact(db, (tx) => nameAccount({ clock, vault, sagas, refunding }, tx, refund, ACCOUNT));
}

function flowOf(reference: string): HangingWithdrawal {
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
