import { expect, test } from 'vitest';
import { openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { atEnd } from '#test/at-end.ts';
import { testDatabase } from '#test/database.ts';
import { openBoss } from './boss.ts';
import { DUE } from './dispatcher.ts';

const database = await testDatabase();
const { db, pool, close } = openDatabase(database.url);
atEnd(async () => {
  await close();
  await database.close();
});

/** The queue's own session, and what it asks. */
async function session(prepared: boolean) {
  const log = createLog('silent');
  const { boss, close } = await openBoss({ like: pool, url: database.url, prepared, log });
  atEnd(async () => {
    await boss.stop({ graceful: false });
    await close();
  });
  return boss.getDb();
}

const PREPARED = `
  select count(*)::int as times from pg_prepared_statements where statement = $1 and name <> ''`;

test('what the queue asks again and again with values is planned once', async () => {
  const queue = await session(true);
  const text = 'select $1::int as n';
  for (const n of [1, 2, 3]) expect((await queue.executeSql(text, [n])).rows).toEqual([{ n }]);
  expect((await queue.executeSql(PREPARED, [text])).rows).toEqual([{ times: 1 }]);
});

test('nothing is prepared where something in between does not keep it', async () => {
  const queue = await session(false);
  const text = 'select $1::int as n';
  expect((await queue.executeSql(text, [1])).rows).toEqual([{ n: 1 }]);
  expect((await queue.executeSql(PREPARED, [text])).rows).toEqual([{ times: 0 }]);
});

test('a newer version that changes the queue’s tables leaves the older one working', async () => {
  const queue = await session(true);
  await run(db, 'create table of_queue (n integer not null)', []);
  await run(db, 'insert into of_queue values (1)', []);
  const ask = async () => (await queue.executeSql('select * from of_queue where n = $1', [1])).rows;
  expect(await ask()).toEqual([{ n: 1 }]);
  await run(db, 'alter table of_queue add column added integer default 2', []);
  expect(await ask()).toEqual([{ n: 1, added: 2 }]);
  expect(await ask()).toEqual([{ n: 1, added: 2 }]);
});

test('a look for what is due reads one job of a queue, whatever the table held when it was planned', async () => {
  const queue = await session(true);
  for (const name of ['looked', 'empty'])
    await queue.executeSql('select pgboss.create_queue($1, $2)', [name, { policy: 'standard' }]);
  const add = (state: string, count: number) =>
    queue.executeSql(
      `insert into pgboss.job_common (name, data, policy, state)
       select 'looked', '{}', 'standard', $1::pgboss.job_state from generate_series(1, $2::int)`,
      [state, count],
    );
  const look = async () =>
    (await queue.executeSql(DUE, [['looked', 'empty']])).rows.map(({ name }) => name);
  const read = async () => {
    await queue.executeSql('select pg_stat_force_next_flush()');
    const { rows } = await queue.executeSql(
      `select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_user_tables
       where relname = 'job_common'`,
    );
    return Number(rows[0].n);
  };
  await add('completed', 1);
  await queue.executeSql('vacuum analyze pgboss.job_common');
  for (let turn = 0; turn < 8; turn += 1) expect(await look()).toEqual([]);
  await add('completed', 3000);
  await add('created', 2000);
  const before = await read();
  expect(await look()).toEqual(['looked']);
  expect((await read()) - before).toBeLessThan(5);
});
