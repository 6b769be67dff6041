import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientNow, leftBy, uncaused } from '#kernel/cause.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { defineJob } from './job.ts';
import { TURN } from './turns.ts';
import type { Claimed } from './worker.ts';

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

test('a client with a thousand jobs does not keep other clients from their turn', async () => {
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

test('a job has its client’s turn, also when it repeats, fails or is left by another job', async () => {
  const ran: string[] = [];
  const clients = new Set<number | undefined>();
  const second = defineJob<object>({
    name: 't.second',
    attempts: 3,
    async run(_payload, { attempt }) {
      ran.push(`second ${attempt}`);
      clients.add(clientNow());
      if (attempt === 1) throw new Error('not yet');
      return undefined;
    },
  });
  const first = defineJob<{ readonly again: boolean }>({
    name: 't.first',
    async run(_payload, { completeWithin: _ }) {
      ran.push('first');
      clients.add(clientNow());
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
  expect(ran.filter((name) => name === 'first')).toHaveLength(2);
  expect([...clients]).toEqual([42]);
});

const take = (tx: Db, kind: string, { room, turn }: { room: number; turn: number }) =>
  run<Claimed>(tx, TURN, [[], [], [kind], [room], [turn], room]);

test('a turn reads no more rows however many wait', async () => {
  const { leave } = noting('t.rows', 5);
  const rowsRead = () =>
    transact(db(), async (tx) => {
      const read = async () =>
        (
          await run<{ n: number }>(
            tx,
            `select (idx_tup_fetch + seq_tup_read)::int as n from pg_stat_xact_user_tables where relname = 'jobs'`,
            [],
          )
        )[0]?.n ?? 0;
      const before = await read();
      expect(await take(tx, 't.rows', { room: 5, turn: 7 })).toHaveLength(5);
      return (await read()) - before;
    });
  await leave(7, 10);
  await leave(8, 10);
  const few = await rowsRead();
  await leave(7, 2000);
  expect(await rowsRead()).toBeLessThanOrEqual(few + 10);
});

test('turns take as many jobs as are due and fit, none twice, for any mix of clients', async () => {
  const { leave } = noting('t.any', 5);
  const client = fc.option(fc.integer({ min: 2, max: 6 }), { nil: null });
  const batch = fc.record({ client, n: fc.nat({ max: 4 }), isDue: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { maxLength: 6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(0, 3, 4, 9),
      async (batches, room, turn) => {
        await run(db(), 'delete from jobs', []);
        const later = new Date(clock.now().getTime() + 600_000);
        for (const { client: of, n, isDue } of batches)
          await leave(of, n, isDue ? undefined : later);
        const due = batches.flatMap(({ client: of, n, isDue }) =>
          isDue ? Array.from({ length: n }, () => of ?? 0) : [],
        );
        const rows = await take(db(), 't.any', { room, turn });
        expect(new Set(rows.map(({ id }) => id)).size).toBe(Math.min(room, due.length));
        // A client has a second one only where each other that has any has had its first.
        const counts = new Map<number, number>();
        for (const { client_id } of rows)
          counts.set(client_id ?? 0, (counts.get(client_id ?? 0) ?? 0) + 1);
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
