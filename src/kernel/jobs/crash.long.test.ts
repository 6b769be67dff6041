import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { type OpenDatabase, openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { createEffects } from '../effects/effects.ts';
import { done } from '../effects/outcome.ts';
import { createSagas } from '../effects/saga.ts';
import { defineMachine, type Machine } from '../effects/saga-machine.ts';
import { createJobs } from './jobs.ts';

let database: TestDatabase;
let open: OpenDatabase;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  await run(open.db, 'create table done_work (saga text not null, step text not null)', []);
});

afterAll(async () => {
  child?.kill('SIGKILL');
  await open.close();
  await database.close();
});

/** Two steps of one effect each. `call` is where the first process is caught. */
const machineOf = (call: () => Promise<void>): Machine<object> => {
  const step = (name: string, next: string) => ({
    call: () => call().then(() => done({})),
    async apply(tx: Parameters<typeof run>[0], { id }: { id: string }) {
      await run(tx, 'insert into done_work values ($1, $2)', [id, name]);
      return undefined;
    },
    next,
    onRefused: 'failed',
  });
  return defineMachine<object>({
    type: 'crash',
    initial: 'first',
    states: {
      first: step('first', 'second'),
      second: step('second', 'end'),
      end: { final: true },
      failed: { final: true },
    },
  });
};

function instance(call: () => Promise<void>) {
  const clock = createClock();
  const log = createLog('silent');
  const jobs = createJobs({ pool: open.pool, clock, log });
  const effects = createEffects({ db: open.db, jobs, clock, log });
  const sagas = createSagas({ db: open.db, jobs, effects, clock, log });
  const machine = machineOf(call);
  sagas.register([machine]);
  return { jobs, sagas, machine };
}

/** A worker process whose calls begin and never answer. */
async function hangingWorker(): Promise<ChildProcess> {
  const script = `
    import { createClock } from '#kernel/clock.ts';
    import { openDatabase } from '#kernel/db/db.ts';
    import { createLog } from '#kernel/log.ts';
    import { createJobs } from '#kernel/jobs/jobs.ts';
    import { createEffects } from '#kernel/effects/effects.ts';
    import { createSagas } from '#kernel/effects/saga.ts';
    const { db, pool } = openDatabase(process.argv[1]);
    const [clock, log] = [createClock(), createLog('silent')];
    const jobs = createJobs({ pool, clock, log });
    const effects = createEffects({ db, jobs, clock, log });
    const sagas = createSagas({ db, jobs, effects, clock, log });
    const call = () => new Promise(() => void process.stdout.write('called\\n'));
    const step = { call, next: 'end', onRefused: 'end' };
    const states = { first: step, second: step, end: { final: true }, failed: { final: true } };
    sagas.register([{ type: 'crash', initial: 'first', states }]);
    await jobs.start();
  `;
  const args = ['--input-type=module-typescript', '--eval', script, database.url];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(worker.stdout, 'data');
  return worker;
}

test('after kill -9 in the middle of a call another process ends the work, with every effect once', async () => {
  const { jobs, sagas, machine } = instance(async () => undefined);
  const ids = ['A', 'B', 'C'];
  await transact(open.db, async (tx) => {
    for (const id of ids) await sagas.start(tx, machine, { id, data: {} });
  });
  child = await hangingWorker();
  child.kill('SIGKILL');
  await once(child, 'exit');

  await jobs.start();
  await expect.poll(() => sagas.stats(open.db)).toEqual([]);
  await jobs.stop();
  const effects = await run(open.db, 'select saga, step from done_work order by 1, 2', []);
  expect(effects).toEqual(
    ids.flatMap((saga) => ['first', 'second'].map((step) => ({ saga, step }))),
  );
});

test('a process that hung until it was replaced can no longer commit what it did', async () => {
  let release = () => {};
  const begun = Promise.withResolvers<void>();
  const hung = instance(async () => {
    begun.resolve();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const { sagas, machine } = hung;
  await transact(open.db, (tx) => sagas.start(tx, machine, { id: 'Z', data: {} }));
  const frozen = hung.jobs.drain();
  await begun.promise;
  // Its heartbeat is overdue, as if the process had been stopped for a while, and stays so: it does not stop really.
  const [job] = await run<{ id: string }>(
    open.db,
    "select id::text as id from jobs where state = 'active'",
    [],
  );
  const stopped = () =>
    run(
      open.db,
      `update jobs set due_at = now() - interval '1 minute'
       where id = $1 and state = 'active' and attempt = 1`,
      [job?.id],
    );
  await stopped();
  const healthy = instance(async () => undefined);
  await healthy.jobs.start();
  const isFinished = async () => {
    await stopped();
    return (await sagas.find(open.db, 'Z'))?.finished;
  };
  await expect.poll(isFinished).toBe(true);
  release();
  expect((await frozen).completed).toBe(0);
  await Promise.all([healthy.jobs.stop(), hung.jobs.stop()]);
  const effects = await run(open.db, "select step from done_work where saga = 'Z'", []);
  expect(effects).toEqual([{ step: 'first' }, { step: 'second' }]);
});
