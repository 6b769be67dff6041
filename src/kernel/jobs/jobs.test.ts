import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { sent } from '#test/statements.ts';
import { defineJob } from './job.ts';

const { db, instance, forward, clock } = jobsBench();
const NONE = { completed: 0, again: 0, failed: 0, dead: 0, lost: 0 };

/** A job that notes what it was called with. */
function noting(name: string, fails = 0) {
  const calls: unknown[] = [];
  const job = defineJob<{ n: number }>({
    name,
    attempts: 3,
    async run({ n }, { attempt, key }) {
      calls.push({ n, attempt, key });
      if (calls.length <= fails) throw new Error('not yet');
      return undefined;
    },
  });
  return { job, calls };
}

const numbers = (calls: readonly unknown[]) => calls.map((call) => (call as { n: number }).n);

test('a job exists when, and only when, the transaction that asked for it commits', async () => {
  const { job, calls } = noting('t.commit');
  const jobs = instance([job]);
  await transact(db(), (tx) => jobs.enqueue(tx, job, { n: 1 }));
  const undone = transact(db(), async (tx) => {
    await jobs.enqueue(tx, job, { n: 2 });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await jobs.drain()).toEqual({ ...NONE, completed: 1 });
  expect(numbers(calls)).toEqual([1]);
});

test('while a job of a key waits there is no second one, and a job without a key is never one', async () => {
  const { job, calls } = noting('t.key');
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 }, { key: 'a' });
  await transact(db(), async (tx) => {
    await jobs.enqueue(tx, job, { n: 2 }, { key: 'a' });
    await jobs.enqueue(tx, job, { n: 3 }, { key: 'b' });
    await jobs.enqueue(tx, job, { n: 0 }, { key: 'b' });
  });
  await jobs.enqueue(db(), job, { n: 4 });
  await jobs.enqueue(db(), job, { n: 5 });
  await jobs.drain();
  expect(numbers(calls).sort()).toEqual([1, 3, 4, 5]);
  await jobs.enqueue(db(), job, { n: 6 }, { key: 'a' });
  await jobs.drain();
  expect(numbers(calls)).toContain(6);
});

test('several jobs at once are each there once, and one that waits runs at the earlier time', async () => {
  const { job, calls } = noting('t.several');
  const jobs = instance([job]);
  const after = (ms: number) => new Date(clock.now().getTime() + ms);
  await jobs.enqueue(db(), job, { n: 1 }, { key: 'a', at: after(60_000) });
  const wanted = [1, 2, 3].map((n) => ({ payload: { n }, key: 'abc'.charAt(n - 1) }));
  await transact(db(), (tx) => jobs.enqueueAll(tx, job, wanted, after(10_000)));
  expect(await jobs.drain()).toEqual(NONE);
  await forward(jobs, 11_000);
  await jobs.drain();
  expect(numbers(calls).sort()).toEqual([1, 2, 3]);
  const undone = transact(db(), async (tx) => {
    await jobs.enqueueAll(tx, job, wanted);
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await jobs.drain()).toEqual(NONE);
  await jobs.enqueueAll(db(), job, []);
});

test('a job that was asked for again does not start before that transaction has ended', async () => {
  const { job, calls } = noting('t.hold');
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 }, { key: 'a' });
  await transact(db(), async (tx) => {
    await jobs.enqueue(tx, job, { n: 1 }, { key: 'a' });
    await run(tx, 'select 1', []);
    const other = instance([job]);
    await other.start();
    await other.stop();
    expect(calls).toEqual([]);
  });
  await jobs.drain();
  expect(numbers(calls)).toEqual([1]);
});

test('a failed job is tried again later, with the same key, until it succeeds', async () => {
  const { job, calls } = noting('t.retry', 2);
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 }, { key: 'order-7' });
  expect(await jobs.drain()).toEqual({ ...NONE, failed: 1 });
  expect(await jobs.drain()).toEqual(NONE);
  await jobs.advance(60_000);
  expect(await jobs.drain()).toEqual({ ...NONE, failed: 1 });
  await jobs.advance(60_000);
  expect(await jobs.drain()).toEqual({ ...NONE, completed: 1 });
  expect(calls).toEqual([1, 2, 3].map((attempt) => ({ n: 1, attempt, key: 'order-7' })));
});

test('a job that fails every time becomes a dead letter, and can be redriven', async () => {
  const { job, calls } = noting('t.dead', 3);
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 9 });
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await jobs.drain();
    await jobs.advance(3_600_000);
  }
  expect((await jobs.stats()).dead).toEqual({ 't.dead': 1 });
  const [letter] = await jobs.deadLetters();
  expect(letter).toMatchObject({
    name: 't.dead',
    payload: { n: 9 },
    error: 'not yet',
    attempts: 3,
  });
  expect(await jobs.redrive('t.dead')).toBe(1);
  expect(await jobs.drain()).toEqual({ ...NONE, completed: 1 });
  expect((await jobs.stats()).dead).toEqual({});
  expect(calls).toHaveLength(4);
});

test('one dead letter of several can be redriven by its id', async () => {
  const { job, calls } = noting('t.dead-by-id', 6);
  const jobs = instance([job]);
  for (const n of [1, 2]) await jobs.enqueue(db(), job, { n });
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await jobs.drain();
    await jobs.advance(3_600_000);
  }
  const letters = (await jobs.deadLetters()).filter(({ name }) => name === job.name);
  const wanted = letters.find(({ payload }) => (payload as { n: number }).n === 2);
  expect(await jobs.redrive(wanted?.id ?? '')).toBe(1);
  expect(await jobs.redrive(wanted?.id ?? '')).toBe(0);
  await jobs.drain();
  expect((await jobs.stats()).dead).toEqual({ 't.dead-by-id': 1 });
  expect(calls.at(-1)).toMatchObject({ n: 2 });
  expect(await jobs.redrive(job.name)).toBe(1);
});

test('delayed work falls due when the clock of the service does, moved or not', async () => {
  const { job, calls } = noting('t.delay');
  const jobs = instance([job]);
  const at = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000);
  await jobs.enqueue(db(), job, { n: 24 }, { at: at(24) });
  await jobs.enqueue(db(), job, { n: 1 }, { at: at(1), key: 'a' });
  await forward(jobs, 3_600_000);
  await jobs.enqueue(db(), job, { n: 2 }, { at: at(1) });
  await jobs.drain();
  expect(numbers(calls)).toEqual([1]);
  await forward(jobs, 3_600_000);
  await jobs.drain();
  expect(numbers(calls)).toEqual([1, 2]);
  await forward(jobs, 22 * 3_600_000);
  await jobs.drain();
  expect(numbers(calls)).toEqual([1, 2, 24]);
});

test('a job may ask to be called again at a time, as a first attempt with the same key', async () => {
  const seen: unknown[] = [];
  const job = defineJob<{ n: number }>({
    name: 't.again',
    async run({ n }, { attempt, key }) {
      seen.push({ n, attempt, key });
      return seen.length < 3 ? { again: new Date(clock.now().getTime() + 60_000) } : undefined;
    },
  });
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 }, { key: 'poll' });
  expect(await jobs.drain()).toEqual({ ...NONE, again: 1 });
  await forward(jobs, 60_000);
  expect(await jobs.drain()).toEqual({ ...NONE, again: 1 });
  await forward(jobs, 60_000);
  expect(await jobs.drain()).toEqual({ ...NONE, completed: 1 });
  expect(seen).toEqual([1, 2, 3].map(() => ({ n: 1, attempt: 1, key: 'poll' })));
});

test('what a job completes in its own transaction is done with it, or not at all', async () => {
  let runs = 0;
  const job = defineJob<{ n: number }>({
    name: 't.complete-within',
    async run(_, { completeWithin }) {
      runs += 1;
      await transact(db(), async (tx) => {
        await run(tx, 'insert into done_work values ($1)', [`run ${runs}`]);
        await completeWithin(tx);
        if (runs === 1) throw new Error('undone after settling');
      });
      return undefined;
    },
  });
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 });
  expect(await jobs.drain()).toEqual({ ...NONE, failed: 1 });
  await jobs.advance(60_000);
  expect(await jobs.drain()).toEqual({ ...NONE, completed: 1 });
  expect(await run(db(), 'select name from done_work', [])).toEqual([{ name: 'run 2' }]);
});

test('a run that has lost its job cannot commit', async () => {
  const job = defineJob<{ n: number }>({
    name: 't.lost',
    async run(_, { completeWithin, attempt }) {
      if (attempt === 1)
        // What the others do to a process that they believe dead.
        await run(
          db(),
          `update jobs set due_at = now() + interval '1 hour', state = 'retrying' where name = 't.lost'`,
          [],
        );
      await transact(db(), async (tx) => {
        await run(tx, 'insert into done_work values ($1)', [`attempt ${attempt}`]);
        await completeWithin(tx);
      });
      return undefined;
    },
  });
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 });
  expect(await jobs.drain()).toEqual({ ...NONE, lost: 1 });
  await jobs.advance(3_600_000);
  expect(await jobs.drain()).toEqual({ ...NONE, completed: 1 });
  expect(await run(db(), 'select name from done_work', [])).toEqual([{ name: 'attempt 2' }]);
});

test('a started instance runs a committed job, and a failed one again, without being asked', async () => {
  const { job, calls } = noting('t.started', 1);
  const jobs = instance([job]);
  await jobs.start();
  await transact(db(), (tx) => jobs.enqueue(tx, job, { n: 1 }));
  await expect.poll(() => calls.length).toBe(2);
  expect(numbers(calls)).toEqual([1, 1]);
});

/** A job that runs one at a time, and ends when it is let go. */
function held(name: string) {
  const ended: number[] = [];
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const job = defineJob<{ n: number }>({
    name,
    concurrency: 1,
    async run({ n }) {
      begun.resolve();
      await release.promise;
      ended.push(n);
      return undefined;
    },
  });
  return { job, ended, begun: begun.promise, release: release.resolve };
}

test('stopping waits for what runs, and lets nothing new start', async () => {
  const { job, ended, begun, release } = held('t.stop');
  const jobs = instance([job]);
  await jobs.start();
  await jobs.enqueue(db(), job, { n: 1 });
  await jobs.enqueue(db(), job, { n: 2 });
  await begun;
  const stopped = jobs.stop(20_000);
  release();
  await stopped;
  expect(ended).toEqual([1]);
});

test('whoever waits for a queue to be empty is let go when it stops', async () => {
  const { job, ended, begun, release } = held('t.drain');
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 1 });
  await jobs.enqueue(db(), job, { n: 2 });
  const drained = jobs.drain();
  await begun;
  const stopped = jobs.stop(20_000);
  release();
  expect(await drained).toEqual({ ...NONE, completed: 1 });
  await stopped;
  expect(ended).toEqual([1]);
});

test('two jobs of one name, and a job that was not registered, are refused', async () => {
  const { job } = noting('t.twice');
  expect(() => instance([job, job])).toThrow('two jobs named t.twice');
  const jobs = instance([]);
  await expect(jobs.enqueue(db(), job, { n: 1 })).rejects.toThrow('not registered');
});

test('of a queue no more are counted than is worth knowing, and the oldest is told of all', async () => {
  const job = defineJob<{ n: number }>({ name: 't.many', async run() {} });
  const jobs = instance([job]);
  await jobs.enqueue(db(), job, { n: 0 });
  await run(
    db(),
    `insert into jobs (name, data, due_at)
     select 't.many', '{}', now() + at * interval '1 minute'
       from unnest(array[-90, 60]) as at, generate_series(1, 1500)`,
    [],
  );
  const { queues } = await jobs.stats();
  expect(queues.find(({ name }) => name === 't.many')).toMatchObject({
    due: 1000,
    delayed: 1000,
    retrying: 0,
    active: 0,
    oldest_s: expect.closeTo(5400, -2),
  });
  await run(db(), "delete from jobs where name = 't.many'", []);
});

test('that the queue can be read is found out without reading through what is done', async () => {
  const jobs = instance([defineJob({ name: 't.many', run: async () => undefined })]);
  await jobs.check();
  const text = sent.findLast((one) => one.includes('from jobs where id')) ?? '';
  await run(
    db(),
    `insert into jobs (name, data) select 't.many', '{}' from generate_series(1, 3000)`,
    [],
  );
  await run(db(), "delete from jobs where name = 't.many'", []);
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    db(),
    `explain (analyze, buffers, format json) ${text}`,
    [],
  );
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } =
    row?.['QUERY PLAN'][0].Plan ?? {};
  expect(hit + read).toBeLessThan(20);
});
