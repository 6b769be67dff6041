import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { startChild } from '#test/child.ts';
import { type EventsBench, eventsBench, happened, type Line, wholeLog } from '#test/events.ts';
import { emit } from './emit.ts';
import { readLog } from './event-log.ts';

/** Everything that has been told and moved so far, in its order, as somebody who follows it reads it. */
function follower({ db }: EventsBench) {
  let after = 0;
  const seen: string[] = [];
  return {
    seen,
    async look(): Promise<number> {
      const { events, upto } = await readLog(db, { after, limit: 500 });
      seen.push(...events.map(({ object_id }) => object_id));
      after = upto;
      return seen.length;
    },
  };
}

function expectWhole(log: readonly Line[]): void {
  expect(log.map(({ position }) => position)).toEqual(log.map((_, i) => i + 1));
  for (const [, own] of Map.groupBy(log, ({ client_id }) => client_id)) {
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, i) => i + 1));
    const order = own.map(({ object_id }) => Number(object_id.split('-')[1]));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  }
}

test('processes that are killed while they tell and move lose nothing, and leave the order as it was', async () => {
  const bench = await eventsBench();
  const { db, events, url } = bench;
  const orders = { url, count: 10_000 };
  const reader = follower(bench);
  for (const round of [0, 1, 2]) {
    const children = await Promise.all(
      [1, 2].map((n) => startChild('events-child.ts', { ...orders, client_id: round * 2 + n })),
    );
    const before = reader.seen.length;
    await expect.poll(reader.look, { interval: 5 }).toBeGreaterThan(before + 400);
    await Promise.all(children.map((child) => child.end('SIGKILL')));
  }
  // What was committed and not moved is moved by whoever lives.
  events.start();
  await expect.poll(async () => (await run(db, 'select from events.outbox', [])).length).toBe(0);
  while ((await reader.look()) < (await wholeLog(db)).length);
  const log = await wholeLog(db);
  expectWhole(log);
  expect(reader.seen).toEqual(log.map(({ object_id }) => object_id));
});

test('connections that the database cuts in the middle lose nothing that has committed', async () => {
  const bench = await eventsBench();
  const { db, events } = bench;
  events.start();
  const committed: string[] = [];
  const tell = async (nth: number) => {
    const id = `1-${nth}`;
    await transact(db, async (tx) =>
      emit(tx, happened, { client_id: 1, id, data: { writer: 1, nth } }),
    ).then(
      () => committed.push(id),
      () => undefined,
    );
  };
  for (let nth = 1; nth <= 300; nth += 1) {
    await tell(nth);
    if (nth % 60 === 0)
      await run(
        db,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
        [],
      ).catch(() => undefined);
  }
  await expect
    .poll(async () => (await wholeLog(db)).length)
    .toBeGreaterThanOrEqual(committed.length);
  const log = await wholeLog(db);
  expectWhole(log);
  const told = new Set(log.map(({ object_id }) => object_id));
  expect(committed.filter((id) => !told.has(id))).toEqual([]);
});
