/** A process of its own for the crash test of the made-up rail: begins a pay-out, and hangs in its call. */

import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createEffects } from '#kernel/effects/effects.ts';
import { createSagas } from '#kernel/effects/saga.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { payoutMachine, teapot } from './new-rail.ts';

interface Orders {
  readonly databaseUrl: string;
  readonly url: string;
  readonly id: string;
  readonly data: { readonly payer: number; readonly house: number; readonly units: string };
  /** Before it gets the call, or after it has done it. */
  readonly hangs: 'before' | 'after';
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { id, data } = orders;
const { db, pool } = openDatabase(orders.databaseUrl);
const common = { db, clock: createClock(), log: createLog('silent') };
const jobs = createJobs({ ...common, pool });
const sagas = createSagas({ ...common, jobs, effects: createEffects({ ...common, jobs }) });
const provider = teapot(() => orders.url, '');
const machine = payoutMachine({
  ...provider,
  async pay(reference, units) {
    if (orders.hangs === 'after') await provider.pay(reference, units);
    setInterval(() => undefined, 1000);
    process.stdout.write('hangs\n');
    return new Promise(() => undefined);
  },
});
sagas.register([machine]);
await transact(db, (tx) => sagas.start(tx, machine, { id, data, drivenForMs: 60_000 }));
await sagas.drive(id, { patienceMs: 60_000 });
