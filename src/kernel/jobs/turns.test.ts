import { expect, test } from 'vitest';
import { openAlike, openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { atEnd } from '#test/at-end.ts';
import { testDatabase } from '#test/database.ts';
import { createDispatcher } from './dispatcher.ts';
import { TURN, takeTurn } from './turns.ts';
import type { Claimed } from './worker.ts';

const database = await testDatabase();
const open = openDatabase(database.url);
const { db } = open;
atEnd(async () => {
  await open.close();
  await database.close();
});

/** A connection as the queue has it. */
function session({ prepared = true } = {}) {
  const { pool, close } = openAlike(open.pool, { max: 1, prepared });
  atEnd(close);
  return pool;
}

const add = (name: string, count = 1, { state = 'waiting', after = 'now' } = {}) =>
  run(
    db,
    `insert into jobs (name, data, state, due_at, died_at)
     select $1, '{}', $3, $4::timestamptz, case when $3 = 'dead' then now() end from generate_series(1, $2::int)`,
    [name, count, state, after],
  );

const room = (kinds: readonly string[], rooms: readonly number[], most = 20) => ({
  kinds: `{${kinds.join()}}`,
  rooms: `{${rooms.join()}}`,
  turns: `{${rooms.map(() => 'NULL').join()}}`,
  most,
});

/** How many rows of the queue's table its sessions have read so far. */
async function rowsRead(pool: ReturnType<typeof session>): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ n: number }>(
    `select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_user_tables where relname = 'jobs'`,
  );
  return rows[0]?.n ?? 0;
}

test('what the queue asks again and again is planned once, and not kept where something in between does not', async () => {
  const text = `select count(*)::int as n from pg_prepared_statements where statement = $1 and name <> ''`;
  for (const prepared of [true, false]) {
    const pool = session({ prepared });
    for (let turn = 0; turn < 3; turn += 1) await takeTurn(pool, [], room([], []));
    expect((await pool.query(text, [TURN])).rows).toEqual([{ n: prepared ? 1 : 0 }]);
  }
});

test('a turn reads no more than what it takes and the first of each kind, whatever the table held when it was planned', async () => {
  const pool = session();
  const take = async (most: number) =>
    (await takeTurn(pool, [], room(['looked', 'later', 'dead'], [9, 9, 9], most))).taken;
  await add('looked');
  await run(db, 'vacuum analyze jobs', []);
  for (const found of [1, 0, 0, 0, 0, 0, 0, 0]) expect(await take(5)).toHaveLength(found);
  await add('dead', 3000, { state: 'dead' });
  await add('unknown', 2000);
  await add('later', 2000, { after: 'tomorrow' });
  await add('looked', 2000);
  const before = await rowsRead(pool);
  expect(await take(5)).toHaveLength(5);
  // Each once to be chosen, once to be taken, and the first of each kind.
  expect((await rowsRead(pool)) - before).toBeLessThan(25);
});

test('jobs are taken in the order of their kinds, of each at most its room, of all at most so many', async () => {
  const pool = session();
  const kinds = ['t.first', 't.none', 't.second', 't.last'];
  for (const name of ['t.last', 't.first', 't.second']) await add(name, 5);
  const take = async (rooms: number[], most: number) =>
    (await takeTurn(pool, [], room(kinds, rooms, most))).taken.map(({ name }) => name);
  expect(await take([2, 5, 5, 5], 6)).toEqual([
    ...['t.first', 't.first'],
    ...['t.second', 't.second', 't.second', 't.second'],
  ]);
  expect(await take([5, 5, 5, 0], 20)).toEqual(['t.first', 't.first', 't.first', 't.second']);
  expect(await take([5, 5, 5, 5], 20)).toHaveLength(5);
});

test('of a kind what is due first is taken first, and what a transaction still writes is passed over', async () => {
  const pool = session();
  for (const after of ['2026-11-03', '2026-11-01', '2026-11-02'])
    await run(db, `insert into jobs (name, data, due_at) values ('t.order', $1, $2)`, [
      JSON.stringify(after),
      after,
    ]);
  const take = async () =>
    (await takeTurn(pool, [], room(['t.order'], [1]))).taken.map(({ data }) => data);
  await db.transaction().execute(async (tx) => {
    await run(tx, `select from jobs where name = 't.order' order by due_at limit 1 for update`, []);
    expect(await take()).toEqual(['2026-11-02']);
  });
  expect(await take()).toEqual(['2026-11-01']);
  expect(await take()).toEqual(['2026-11-03']);
});

test('runs are ended by the statement that takes the next ones, but for those taken over', async () => {
  const pool = session();
  await add('t.ends', 3);
  const kinds = room(['t.ends'], [9]);
  const { taken } = await takeTurn(pool, [], kinds);
  expect(taken).toHaveLength(3);
  const [first, second, third] = taken as [Claimed, Claimed, Claimed];
  await add('t.ends');
  const before = { ...third, attempt: 0 };
  const turn = await takeTurn(pool, [first, second, before], kinds);
  expect([...turn.ended].sort()).toEqual([first.id, second.id].sort());
  expect(turn.taken).toHaveLength(1);
  // One that has ended is there no more.
  expect((await takeTurn(pool, [first], kinds)).ended).toEqual(new Set());
  expect(await run(db, `select id from jobs where name = 't.ends'`, [])).toHaveLength(2);
});

test('what a process had that is gone is taken as lapsed, and that process can end it no more', async () => {
  const pool = session();
  await add('t.lapsed');
  const kinds = room(['t.lapsed'], [9]);
  const [mine] = (await takeTurn(pool, [], kinds)).taken as [Claimed];
  expect(mine).toMatchObject({ state: 'active', attempt: 1 });
  await run(db, `update jobs set due_at = now() where id = $1`, [mine.id]);
  expect((await takeTurn(pool, [], kinds)).taken).toEqual([{ ...mine, state: 'lapsed' }]);
  expect((await takeTurn(pool, [mine], kinds)).ended).toEqual(new Set());
});

test('a run whose end cannot be told fails, and the next one is ended again', async () => {
  const pool = session();
  const queue = { pool, db, log: createLog('silent'), machineTime: (at: Date) => at };
  let runs = 0;
  const dispatcher = createDispatcher(
    queue,
    new Map([
      [
        't.told',
        {
          concurrency: 5,
          attempts: 2,
          afterLast: 'dead letter' as const,
          async run(_: unknown, __: unknown, job: Claimed) {
            runs += 1;
            // Whatever makes the statement fail.
            if (runs === 1) Object.assign(job, { attempt: 'no number' });
            return undefined;
          },
        },
      ],
    ]),
  );
  await add('t.told');
  await expect(dispatcher.drain()).rejects.toThrow('integer');
  await add('t.told');
  await dispatcher.drain();
  expect(dispatcher.endings).toMatchObject({ completed: 1, lost: 1 });
  await dispatcher.stop(0);
});
