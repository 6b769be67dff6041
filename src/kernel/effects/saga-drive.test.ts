import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { gate } from '#test/waiting.ts';
import { createLog } from '../log.ts';
import { createEffects } from './effects.ts';
import { done, type Outcome, refused, unknown } from './outcome.ts';
import { createSagas } from './saga.ts';
import { defineMachine, type Machine, type StepState } from './saga-machine.ts';

const bench = jobsBench();
const HOUR_MS = 3_600_000;
const END = { final: true } as const;

/** A machine of one test's own, by its states. */
async function open<D extends object>(given: Pick<Machine<D>, 'initial' | 'states'>) {
  const machine = defineMachine<D>({ type: `m-${randomUUID().slice(0, 8)}`, ...given });
  const jobs = bench.instance([]);
  const deps = { db: bench.db(), jobs, clock: bench.clock, log: createLog('silent') };
  const effects = createEffects(deps);
  const sagas = createSagas({ ...deps, effects });
  sagas.register([machine as Machine]);
  await jobs.drain();
  const id = randomUUID();
  const start = (data: D, options = {}) =>
    transact(bench.db(), (tx) => sagas.start(tx, machine, { id, data, ...options }));
  const forward = async (ms: number) => {
    await bench.forward(jobs, ms);
    await jobs.drain();
  };
  const path = async () => {
    const text = 'select state from saga_log where saga_id = $1 order by version';
    const rows = await run<{ state: string }>(bench.db(), text, [id]);
    return rows.map(({ state }) => state).join(' > ');
  };
  const stepOf = (state: string, version: number) =>
    effects.find(bench.db(), `saga.${machine.type}.${state}`, `${id}:${version}`);
  return { machine, jobs, effects, sagas, id, start, forward, path, stepOf };
}

const calling = (call: () => Promise<Outcome<unknown>>): StepState<object> => ({
  call,
  next: 'end',
  onRefused: 'end',
});

test('driven by its request and by its job at once, a step is called once and moves once', async () => {
  let calls = 0;
  const slow = gate();
  const call = async () => {
    calls += 1;
    await slow.pass();
    return done({});
  };
  const send = { ...calling(call), repeatable: false, lookUp: async () => done(undefined) };
  const { jobs, sagas, id, start, path } = await open({
    initial: 'send',
    states: { send, end: END },
  });
  await start({});
  const driven = sagas.drive(id, { patienceMs: 60_000 });
  await slow.reached;
  await jobs.drain();
  const others = await Promise.all(
    Array.from({ length: 10 }, () => sagas.drive(id, { patienceMs: 60_000 })),
  );
  expect(others.map(({ state }) => state)).toEqual(Array(10).fill('send'));
  slow.open();
  expect(await driven).toMatchObject({ state: 'end', finished: true });
  expect([calls, await path()]).toEqual([1, 'send > end']);
});

test('who has no patience is told where it is, and its call goes on', async () => {
  const slow = gate();
  const send = calling(async () => {
    await slow.pass();
    return done({});
  });
  const { sagas, id, start, path } = await open({ initial: 'send', states: { send, end: END } });
  await start({}, { drivenForMs: HOUR_MS });
  expect(await sagas.drive(id, { patienceMs: 0 })).toMatchObject({ state: 'send' });
  await slow.reached;
  slow.open();
  await expect.poll(path).toBe('send > end');
});

test('what follows an event is nobody’s to drive but the jobs’, and does not wait for the request', async () => {
  const send = { ...calling(async () => done({})), next: 'wait' };
  const wait = { wait: 'told', timeoutMs: HOUR_MS, onEvent: 'book', onTimeout: 'send' };
  const { jobs, sagas, id, start, path } = await open({
    initial: 'send',
    states: { send, wait, book: calling(async () => done({})), end: END },
  });
  await start({}, { drivenForMs: HOUR_MS });
  await sagas.drive(id, { patienceMs: 60_000 });
  await transact(bench.db(), (tx) => sagas.signal(tx, id, 'told', 'e1', {}));
  await jobs.drain();
  expect(await path()).toBe('send > wait > book > end');
});

test('an event that comes while the call before it is under way is taken by the same drive', async () => {
  const slow = gate();
  const send = {
    ...calling(async () => {
      await slow.pass();
      return done({});
    }),
    next: 'wait',
  };
  const wait = { wait: 'told', timeoutMs: HOUR_MS, onEvent: 'end', onTimeout: 'send' };
  const { sagas, id, start, path } = await open({
    initial: 'send',
    states: { send, wait, end: END },
  });
  await start({}, { drivenForMs: HOUR_MS });
  const driven = sagas.drive(id, { patienceMs: 60_000 });
  await slow.reached;
  await transact(bench.db(), (tx) => sagas.signal(tx, id, 'told', 'e1', {}));
  slow.open();
  expect(await driven).toMatchObject({ finished: true });
  expect(await path()).toBe('send > wait > end');
});

test('a flow that is deleted takes its step along, which is given up without alarm', async () => {
  const send = calling(async () => unknown('no answer'));
  const { sagas, id, start, forward, stepOf } = await open({
    initial: 'send',
    states: { send, end: END },
  });
  await start({});
  await sagas.drive(id, { patienceMs: 60_000 });
  await run(bench.db(), 'delete from sagas where id = $1', [id]);
  await forward(HOUR_MS);
  expect(await stepOf('send', 1)).toMatchObject({ state: 'REFUSED', code: 'GONE' });
  await expect(sagas.drive(id, { patienceMs: 0 })).rejects.toThrow('There is no saga');
});

test('what a refusal leads to may depend on why, whatever that says', async () => {
  const whys = [refused('LATER', 'not now'), refused('CLOSED', 'for\u0000 ever')];
  const send: StepState<object> = {
    call: async () => whys.shift() ?? unknown('nothing left'),
    key: ({ id, version }) => `${id}:${version}`,
    next: 'end',
    onRefused: (_, { code }) => (code === 'LATER' ? 'send' : 'end'),
  };
  const { sagas, id, start, path } = await open({ initial: 'send', states: { send, end: END } });
  await start({});
  expect(await sagas.drive(id, { patienceMs: 60_000 })).toMatchObject({ finished: true });
  expect(await path()).toBe('send > send > end');
});

/**
 * The worked example of a compensation: what a later failure has to undo is a state of its own, which
 * is called until it is certain. Each step names its own reference, so that either is done once.
 */
test('what was debited is given back by a state of its own, however often that has to be tried', async () => {
  const there = { debited: new Set<string>(), returned: new Set<string>(), silences: 3 };
  const write = (what: string) => async (tx: Db) => {
    await run(tx, 'insert into done_work values ($1)', [what]);
    return undefined;
  };
  const { jobs, id, start, forward, path, stepOf } = await open<object>({
    initial: 'debit',
    states: {
      debit: {
        async call(_, { key }) {
          there.debited.add(key);
          return done({});
        },
        apply: write('debited'),
        next: 'pay',
        onRefused: 'failed',
      },
      pay: {
        call: async () => refused('CLOSED', 'The account is closed'),
        next: 'paid',
        onRefused: 'giveback',
      },
      giveback: {
        async call(_, { key }) {
          there.returned.add(key);
          there.silences -= 1;
          return there.silences >= 0 ? unknown('no answer') : done({});
        },
        apply: write('given back'),
        next: 'failed',
        onRefused: 'failed',
      },
      paid: END,
      failed: END,
    },
  });
  await start({});
  await jobs.drain();
  expect(await path()).toBe('debit > pay > giveback');
  expect(await stepOf('giveback', 3)).toMatchObject({ state: 'OPEN', calls: 1 });
  for (let n = 0; n < 4; n += 1) await forward(HOUR_MS);
  expect(await path()).toBe('debit > pay > giveback > failed');
  expect([there.debited.size, there.returned.size]).toEqual([1, 1]);
  const work = await run<{ name: string }>(bench.db(), 'select name from done_work order by 1', []);
  expect(work.map(({ name }) => name)).toEqual(['debited', 'given back']);
  expect(await stepOf('pay', 2)).toMatchObject({ state: 'REFUSED', code: 'CLOSED' });
  expect(id).toBeDefined();
});

test('a flow whose step has stalled goes on when a person resumes it', async () => {
  let isBroken = true;
  const send = {
    ...calling(async () => done({})),
    apply: () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(undefined)),
  };
  const { machine, effects, sagas, id, start, forward, path, stepOf } = await open({
    initial: 'send',
    states: { send, end: END },
  });
  expect(effects.kinds().map(({ kind }) => kind)).toContain(`saga.${machine.type}.send`);
  await start({});
  for (let n = 0; n < 13; n += 1) await forward(HOUR_MS);
  expect(await stepOf('send', 1)).toMatchObject({ stalled_at: expect.any(String) });
  isBroken = false;
  const resume = () => transact(bench.db(), (tx) => sagas.resume(tx, id));
  expect(await resume()).toBe(true);
  expect(await resume()).toBe(false);
  await forward(0);
  expect(await path()).toBe('send > end');
  expect(await resume()).toBe(false);
});

test('a name that no step could be called by is refused at the start, not halfway', async () => {
  const wait = { wait: 'told', timeoutMs: HOUR_MS, onEvent: 'end', onTimeout: 'end' };
  const { sagas, machine } = await open({ initial: 'wait', states: { wait, end: END } });
  const startAs = (id: string) =>
    transact(bench.db(), (tx) => sagas.start(tx, machine, { id, data: {} }));
  expect(await startAs('x'.repeat(100))).toBe(true);
  await expect(startAs('x'.repeat(101))).rejects.toThrow('too long');
});
