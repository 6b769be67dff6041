import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { type Db, type OpenDatabase, openDatabase, run } from '#kernel/db/db.ts';
import { createJobs, type Jobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { createEffects, type Effects } from './effects.ts';
import { done, type Outcome, refused, unknown } from './outcome.ts';
import { createSagas, type Sagas } from './saga.ts';
import { defineMachine, type Machine } from './saga-machine.ts';

interface Payout {
  readonly amount: string;
  readonly attempt?: number;
  readonly reference?: string;
}

const HOUR = 3_600_000;
const log = createLog('silent');
const clock = createClock();
let database: TestDatabase;
let open: OpenDatabase;
let jobs: Jobs;
let effects: Effects;
let sagas: Sagas;
/** What the outside was called for, and what it answers first. */
let calls: string[];
let answers: (Outcome<unknown> | 'broken')[];

/** Sends money, waits for its settlement, and asks a person where it cannot know. */
const payout = defineMachine<Payout>({
  type: 'payout',
  initial: 'send',
  states: {
    send: {
      key: ({ id, data }) => `${id}:${data.attempt ?? 1}`,
      async call({ data }, { key }) {
        calls.push(key);
        const answer = answers.shift();
        if (answer === 'broken') throw new Error('broken');
        return answer ?? done({ reference: `ref-${data.amount}` });
      },
      async apply(tx, { id }, { reference }: { reference: string }) {
        await note(tx, `${id} sent`);
        return { reference };
      },
      next: 'settle',
      onRefused: 'review',
    },
    settle: {
      wait: 'payout.settled',
      timeoutMs: 24 * HOUR,
      onEvent: (_, { ok }: { ok: boolean }) => (ok ? 'paid' : 'review'),
      onTimeout: 'review',
    },
    review: {
      wait: 'decision',
      timeoutMs: 1000 * HOUR,
      async apply(_, { data }) {
        return { attempt: (data.attempt ?? 1) + 1 };
      },
      onEvent: 'send',
      onTimeout: 'failed',
    },
    paid: {
      final: true,
      async enter(tx, { id }) {
        await note(tx, `${id} paid`);
        return undefined;
      },
    },
    failed: { final: true },
  },
});

/** Starts with waiting, as an order does that somebody has to pay. */
const order = defineMachine<object>({
  type: 'order',
  initial: 'unpaid',
  states: {
    unpaid: { wait: 'paid', timeoutMs: HOUR, onEvent: 'done', onTimeout: 'cancelled' },
    done: { final: true },
    cancelled: { final: true },
  },
});

const note = (tx: Db, name: string) => run(tx, 'insert into done_work values ($1)', [name]);

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  await run(open.db, 'create table done_work (name text not null)', []);
});

afterAll(async () => {
  await open.close();
  await database.close();
});

beforeEach(() => {
  calls = [];
  answers = [];
  jobs = createJobs({ pool: open.pool, clock, log });
  effects = createEffects({ db: open.db, jobs, clock, log });
  sagas = createSagas({ db: open.db, jobs, effects, clock, log });
  sagas.register([payout, order] as Machine[]);
});

afterEach(async () => {
  await jobs.stop(0);
  for (const table of ['jobs', 'saga_log', 'saga_events', 'sagas', 'effects', 'done_work'])
    await run(open.db, `delete from ${table}`, []);
});

async function path(id: string): Promise<string> {
  const rows = await run<{ state: string }>(
    open.db,
    'select state from saga_log where saga_id = $1 order by version',
    [id],
  );
  return rows.map(({ state }) => state).join(' > ');
}

const doneWork = async () =>
  (await run<{ name: string }>(open.db, 'select name from done_work order by name', [])).map(
    ({ name }) => name,
  );

const start = (id: string) =>
  transact(open.db, (tx) => sagas.start(tx, payout, { id, data: { amount: '5' } }));
const settled = (id: string, key: string, ok = true) =>
  transact(open.db, (tx) => sagas.signal(tx, id, 'payout.settled', key, { ok }));

async function forward(ms: number): Promise<void> {
  clock.advance(ms);
  await jobs.advance(ms);
  await jobs.drain();
}

test('a saga goes from state to state, keeping what its steps found out', async () => {
  expect(await start('A')).toBe(true);
  await jobs.drain();
  expect(await path('A')).toBe('send > settle');
  await settled('A', 'e1');
  await jobs.drain();
  expect(await path('A')).toBe('send > settle > paid');
  expect(await doneWork()).toEqual(['A paid', 'A sent']);
  const saga = await sagas.find(open.db, 'A');
  expect(saga).toMatchObject({ finished: true, data: { amount: '5', reference: 'ref-5' } });
  expect(await sagas.stats(open.db)).toEqual([]);
});

test('a saga starts when, and only when, its transaction commits, and once for an id', async () => {
  const undone = transact(open.db, async (tx) => {
    await sagas.start(tx, payout, { id: 'A', data: { amount: '5' } });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await jobs.drain();
  expect(calls).toEqual([]);
  const started = await Promise.all([start('A'), start('A'), start('A')]);
  expect(started.sort()).toEqual([false, false, true]);
  expect(await start('A')).toBe(false);
  await jobs.drain();
  expect(calls).toEqual(['A:1']);
});

test('an event that comes before its saga, or before the saga waits, is not lost', async () => {
  expect(await settled('A', 'e1')).toBe(true);
  await start('A');
  await start('B');
  await settled('B', 'e1');
  await jobs.drain();
  expect([await path('A'), await path('B')]).toEqual(Array(2).fill('send > settle > paid'));
});

test('an event counts once, however often it is sent', async () => {
  await start('A');
  await jobs.drain();
  expect(await Promise.all([settled('A', 'e1'), settled('A', 'e1')])).toContain(false);
  await jobs.drain();
  expect(await settled('A', 'e1')).toBe(false);
  expect(await settled('A', 'e2')).toBe(true);
  await jobs.drain();
  expect(await path('A')).toBe('send > settle > paid');
  expect(await doneWork()).toEqual(['A paid', 'A sent']);
});

test('a signal that is rolled back has not been given', async () => {
  await start('A');
  await jobs.drain();
  const undone = transact(open.db, async (tx) => {
    await sagas.signal(tx, 'A', 'payout.settled', 'e1', { ok: true });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await jobs.drain();
  expect(await path('A')).toBe('send > settle');
  expect(await settled('A', 'e1')).toBe(true);
});

test('a wait ends with its time-out, not before, and an event wins against it', async () => {
  await start('A');
  await start('B');
  await jobs.drain();
  await forward(23 * HOUR);
  expect(await path('A')).toBe('send > settle');
  await settled('B', 'e1');
  await forward(HOUR);
  expect(await path('A')).toBe('send > settle > review');
  expect(await path('B')).toBe('send > settle > paid');
});

test('a first state that waits has its time-out and takes early events, too', async () => {
  const begin = (id: string) => transact(open.db, (tx) => sagas.start(tx, order, { id, data: {} }));
  await transact(open.db, (tx) => sagas.signal(tx, 'early', 'paid', 'e', {}));
  await begin('early');
  await begin('late');
  await jobs.drain();
  expect([await path('early'), await path('late')]).toEqual(['unpaid > done', 'unpaid']);
  await forward(HOUR);
  expect(await path('late')).toBe('unpaid > cancelled');
});

test('a start and its event at the same moment find each other', async () => {
  const ids = Array.from({ length: 20 }, (_, i) => `race-${i}`);
  await Promise.all(
    ids.flatMap((id) => [
      transact(open.db, (tx) => sagas.start(tx, order, { id, data: {} })),
      transact(open.db, (tx) => sagas.signal(tx, id, 'paid', 'e', {})),
    ]),
  );
  await jobs.drain();
  for (const id of ids) expect(await path(id)).toBe('unpaid > done');
});

test('a call without an answer is made again with the same key, and is never a failure', async () => {
  answers = Array.from({ length: 30 }, () => unknown('no answer'));
  await start('A');
  for (let hour = 0; hour < 60; hour += 1) await forward(HOUR);
  expect(new Set(calls)).toEqual(new Set(['A:1']));
  expect(calls).toHaveLength(31);
  expect(await path('A')).toBe('send > settle > review');
  expect(await doneWork()).toEqual(['A sent']);
});

test('a call that stays without an answer is in doubt, counted with its age', async () => {
  answers = Array.from({ length: 100 }, () => unknown('no answer'));
  await start('A');
  for (let hour = 0; hour < 5; hour += 1) await forward(HOUR);
  expect(await path('A')).toBe('send');
  const [doubt] = await effects.stats(open.db);
  expect(doubt).toMatchObject({ kind: 'saga.payout.send', open: 1, stalled: 0 });
  expect(doubt?.oldest_s).toBeGreaterThanOrEqual(5 * 3600);
});

test('a refused call takes the way that its state names, and may be made anew under another key', async () => {
  answers = [refused('CLOSED', 'The account is closed')];
  await start('A');
  await jobs.drain();
  expect(await path('A')).toBe('send > review');
  expect(await sagas.find(open.db, 'A')).toMatchObject({
    last_error: 'CLOSED: The account is closed',
  });
  expect(await doneWork()).toEqual([]);

  await transact(open.db, (tx) => sagas.signal(tx, 'A', 'decision', 'op-1', {}));
  await jobs.drain();
  expect(calls.at(-1)).toBe('A:2');
  expect(await path('A')).toBe('send > review > send > settle');
});

test('a call that cannot even be made stalls for a person, and goes on when it is woken', async () => {
  answers = Array.from({ length: 12 }, () => 'broken');
  await start('A');
  for (let attempt = 0; attempt < 13; attempt += 1) await forward(HOUR);
  expect(await path('A')).toBe('send');
  expect(await effects.stats(open.db)).toMatchObject([{ kind: 'saga.payout.send', stalled: 1 }]);
  expect(await effects.wake(open.db, 'saga.payout.send', 'A:1')).toBe(true);
  await jobs.drain();
  expect(await path('A')).toBe('send > settle');
});

test('whoever has started a saga may drive it to where it waits, and its jobs do the rest', async () => {
  const begin = (id: string) =>
    transact(open.db, (tx) =>
      sagas.start(tx, payout, { id, data: { amount: '5' }, drivenForMs: 60_000 }),
    );
  await begin('A');
  await jobs.drain();
  expect(calls).toEqual([]);
  expect(await sagas.drive('A', { patienceMs: 60_000 })).toMatchObject({ state: 'settle' });
  expect(calls).toEqual(['A:1']);
  await settled('A', 'e1');
  expect(await sagas.drive('A', { patienceMs: 60_000 })).toMatchObject({ finished: true });
  await begin('B');
  await forward(60_000);
  expect(await path('B')).toBe('send > settle');
});

test('a drive whose time is over answers where the saga is, and the call under way still counts', async () => {
  const answer = Promise.withResolvers<Outcome<unknown>>();
  const called = Promise.withResolvers<void>();
  const own = createJobs({ pool: open.pool, clock, log });
  const effectsHere = createEffects({ db: open.db, jobs: own, clock, log });
  const runner = createSagas({ db: open.db, jobs: own, effects: effectsHere, clock, log });
  const machine = defineMachine<object>({
    type: 'slow',
    initial: 'send',
    states: {
      send: {
        call() {
          called.resolve();
          return answer.promise;
        },
        next: 'end',
        onRefused: 'end',
      },
      end: { final: true },
    },
  });
  runner.register([machine] as Machine[]);
  await transact(open.db, (tx) =>
    runner.start(tx, machine, { id: 'A', data: {}, drivenForMs: HOUR }),
  );
  expect(await runner.drive('A', { patienceMs: 1 })).toMatchObject({ state: 'send' });
  await called.promise;
  answer.resolve(done({}));
  await expect.poll(() => path('A')).toBe('send > end');
  await own.stop(0);
});

test('a state without a way out stalls for a person, who can let it try again', async () => {
  let broken = true;
  const own = createJobs({ pool: open.pool, clock, log });
  const runner = createSagas({
    db: open.db,
    jobs: own,
    clock,
    log,
    effects: createEffects({ db: open.db, jobs: own, clock, log }),
  });
  const machine = defineMachine<object>({
    type: 'brittle',
    initial: 'wait',
    states: {
      wait: {
        wait: 'go',
        timeoutMs: HOUR,
        apply: () => (broken ? Promise.reject(new Error('broken')) : Promise.resolve(undefined)),
        onEvent: 'end',
        onTimeout: 'end',
      },
      end: { final: true },
    },
  });
  runner.register([machine] as Machine[]);
  await transact(open.db, (tx) => runner.start(tx, machine, { id: 'A', data: {} }));
  await transact(open.db, (tx) => runner.signal(tx, 'A', 'go', 'e', {}));
  for (let attempt = 0; attempt < 13; attempt += 1) {
    await own.drain();
    await own.advance(HOUR);
  }
  await own.drain();
  expect(await runner.stats(open.db)).toEqual([
    { type: 'brittle', state: 'wait', count: 1, stalled: 1 },
  ]);
  broken = false;
  expect(await transact(open.db, (tx) => runner.resume(tx, 'A'))).toBe(true);
  expect(await transact(open.db, (tx) => runner.resume(tx, 'A'))).toBe(false);
  await own.drain();
  expect(await path('A')).toBe('wait > end');
  await own.stop(0);
});

test('a saga whose job is gone is woken by the sweep, a waiting one when it is due', async () => {
  await start('A');
  await transact(open.db, (tx) => sagas.start(tx, order, { id: 'B', data: {} }));
  await run(open.db, 'delete from jobs', []);
  await run(open.db, "update sagas set updated_at = now() - interval '2 minutes'", []);
  await forward(120_000);
  expect(await path('A')).toBe('send > settle');
  expect(await path('B')).toBe('unpaid');
  await forward(HOUR);
  expect(await path('B')).toBe('unpaid > cancelled');
});

test('a state that no version knows any more is found before anything runs', async () => {
  await transact(open.db, (tx) => sagas.start(tx, order, { id: 'A', data: {} }));
  await sagas.check();
  await run(open.db, "update sagas set state = 'removed'", []);
  await expect(sagas.check()).rejects.toThrow('1 sagas of type order are in state removed');
});
