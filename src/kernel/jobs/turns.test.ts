import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leftBy, uncaused } from '#kernel/cause.ts';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { TAKE } from './dispatcher.ts';
import { defineJob } from './job.ts';

const { db, instance, forward, clock } = jobsBench();

interface Work {
  readonly of: number | null;
}

/** A job that notes for whom it ran, and how to leave some for a client. */
function noting(name: string, concurrency: number) {
  const ran: (number | null)[] = [];
  const job = defineJob<Work>({
    name,
    concurrency,
    async run({ of }) {
      ran.push(of);
      return undefined;
    },
  });
  const jobs = instance([job]);
  let serial = 0;
  const leave = (of: number | null, n: number, at?: Date) => {
    const wanted = Array.from({ length: n }, () => {
      serial += 1;
      return { payload: { of }, key: `${serial}` };
    });
    const work = () => jobs.enqueueAll(db(), job, wanted, at);
    return of === null ? uncaused(work) : leftBy(of, work);
  };
  return { ran, jobs, leave };
}

test('of whom a thousand jobs wait does not keep another client’s from its turn', async () => {
  const { ran, jobs, leave } = noting('t.turns', 5);
  await leave(7, 1000);
  for (const client_id of [3, 8, null]) await leave(client_id, 2);
  await jobs.drain();
  expect(ran).toHaveLength(1006);
  for (const client_id of [3, 8, null]) expect(ran.lastIndexOf(client_id)).toBeLessThan(40);
});

test('where one runs at a time, each client has every other turn', async () => {
  const { ran, jobs, leave } = noting('t.every', 1);
  await leave(5, 6);
  await leave(9, 2);
  await leave(4, 2);
  await jobs.drain();
  expect(ran.slice(0, 1)).toEqual([5]);
  expect(ran.slice(1, 7).toSorted()).toEqual([4, 4, 5, 5, 9, 9]);
  expect(ran.slice(7)).toEqual([5, 5, 5]);
});

test('what is left by a job has its client’s turn, and keeps it when it is asked for again or failed', async () => {
  const ran: string[] = [];
  const second = defineJob<object>({
    name: 't.second',
    attempts: 3,
    async run(_payload, { attempt }) {
      ran.push(`second ${attempt}`);
      if (attempt === 1) throw new Error('not yet');
      return undefined;
    },
  });
  const first = defineJob<{ readonly again: boolean }>({
    name: 't.first',
    async run(_payload, { completeWithin: _ }) {
      ran.push('first');
      await jobs.enqueue(db(), second, {}, { key: 'second' });
      return ran.length > 1 ? undefined : { again: new Date(clock.now().getTime() + 60_000) };
    },
  });
  const jobs = instance([first, second]);
  await leftBy(42, () => jobs.enqueue(db(), first, { again: true }));
  for (let n = 0; n < 4; n += 1) {
    await jobs.drain();
    await forward(jobs, 120_000);
  }
  expect(ran).toEqual(expect.arrayContaining(['first', 'second 1', 'second 2']));
  const groups = await run(db(), 'select distinct group_id as of from pgboss.job_common', []);
  expect(groups).toEqual([{ of: '42' }]);
});

test('a turn reads no more rows however many wait', async () => {
  const { jobs, leave } = noting('t.rows', 5);
  await jobs.open();
  const rowsRead = () =>
    transact(db(), async (tx) => {
      const read = async () =>
        (
          await run<{ n: number }>(
            tx,
            `select (idx_tup_fetch + seq_tup_read)::int as n from pg_stat_xact_user_tables where relname = 'job_common'`,
            [],
          )
        )[0]?.n ?? 0;
      const before = await read();
      expect(await run(tx, TAKE, [['t.rows'], [5], ['7'], 5])).toHaveLength(5);
      return (await read()) - before;
    });
  await leave(7, 10);
  await leave(8, 10);
  const few = await rowsRead();
  await leave(7, 2000);
  expect(await rowsRead()).toBeLessThanOrEqual(few + 10);
});

test('whatever waits for whom, by turns as many are taken as are due and fit, and none twice', async () => {
  const { jobs, leave } = noting('t.any', 5);
  await jobs.open();
  const client = fc.option(fc.integer({ min: 2, max: 6 }), { nil: null });
  const batch = fc.record({ client, n: fc.nat({ max: 4 }), isDue: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { maxLength: 6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('', '3', '4', '9'),
      async (batches, room, turn) => {
        await run(db(), 'delete from pgboss.job', []);
        const later = new Date(clock.now().getTime() + 600_000);
        for (const { client: of, n, isDue } of batches)
          await leave(of, n, isDue ? undefined : later);
        const due = batches.flatMap(({ client: of, n, isDue }) =>
          isDue ? Array.from({ length: n }, () => `${of ?? ''}`) : [],
        );
        const values = [['t.any'], [room], [turn], room];
        const rows = await run<{ id: string; groupId: string | null }>(db(), TAKE, values);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(Math.min(room, due.length));
        // A client has a second one only where each other that has any has had its first.
        const counts = new Map<string, number>();
        for (const { groupId } of rows)
          counts.set(groupId ?? '', (counts.get(groupId ?? '') ?? 0) + 1);
        const most = Math.max(0, ...counts.values());
        for (const one of new Set(due)) {
          const taken = counts.get(one) ?? 0;
          const left = due.filter((other) => other === one).length - taken;
          if (left > 0) expect(taken).toBeGreaterThanOrEqual(most - 1);
        }
      },
    ),
    { numRuns: 40 },
  );
});
