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

/** What a process of its own for crash tests of payouts is given. */
export interface HangingOrders {
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  readonly masterKey: string;
  readonly aheadMs: number;
  /** One after the other: each begins when the one before hangs. */
  readonly flows: readonly HangingPayout[];
}

export interface HangingPayout {
  readonly id: string;
  /** The request for the payout, or its look-up. */
  readonly at: 'payout' | 'ask';
  /** Before the call leaves, or after its answer. */
  readonly hangs: 'before' | 'after';
  /** The bank refuses at once. */
  readonly bankFails?: boolean;
}

/** In such a process: what flows stand on, and a gateway at which each of them hangs at its point. */
export function hangingPayouts(orders: HangingOrders) {
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
  const arrivals = new Map<string, () => void>();
  const gateway = hangingGateway(bank, orders.flows, arrivals);
  const payouts = createPayouts({ db, config, log, inboxes, gateway });
  return {
    db,
    config,
    clock,
    log,
    jobs,
    sagas,
    vault,
    payouts,
    /** Begins each flow, waits until it hangs, and says so when all of them do. */
    async hangAll(begin: (id: string) => Promise<unknown>): Promise<void> {
      for (const { id, at } of orders.flows) {
        const { promise: hangs, resolve } = Promise.withResolvers<void>();
        arrivals.set(id, resolve);
        void drive(id, at);
        await hangs;
      }
      setInterval(() => undefined, 1000);
      process.stdout.write('hangs\n');
      async function drive(id: string, at: HangingPayout['at']): Promise<void> {
        await begin(id);
        await sagas.drive(id, { patienceMs: 10_000 });
        if (at !== 'ask') return;
        // The bank sends a notification of the payout that the flow waits for.
        await sagas.signal(db, id, 'payout', 'news', {});
        await sagas.drive(id, { patienceMs: 10_000 });
      }
    },
  };
}

function hangingGateway(
  bank: Gateway,
  flows: readonly HangingPayout[],
  arrivals: ReadonlyMap<string, () => void>,
): Gateway {
  const flowOf = (reference: string): HangingPayout => {
    const flow = flows.find(({ id }) => id === reference);
    if (!flow) throw new Error(`${reference} is of no flow`);
    return flow;
  };
  const hanging = async <T>(
    name: string,
    reference: string,
    call: () => Promise<T>,
  ): Promise<T> => {
    const { at, hangs } = flowOf(reference);
    if (name !== at) return call();
    if (hangs === 'after') await call();
    arrivals.get(reference)?.();
    return new Promise(() => undefined);
  };
  return {
    ...bank,
    findPayout: (reference) => hanging('ask', reference, () => bank.findPayout(reference)),
    createPayout: (request) =>
      hanging('payout', request.reference, async () => {
        if (!flowOf(request.reference).bankFails) return bank.createPayout(request);
        return done({ ...request, id: 'none', status: 'FAILED' as const });
      }),
  };
}
