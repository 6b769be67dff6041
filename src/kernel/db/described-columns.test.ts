import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import { type DatabaseOptions, openDatabase, run, runLast } from './db.ts';

const database = await testDatabase();
const opened: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of opened) await close();
  await database.close();
});

/** A database on one connection, and how often an answer was described to it. */
function open(options: DatabaseOptions = {}) {
  const { db, pool, close } = openDatabase(database.url, { max: 1, ...options });
  opened.push(close);
  const seen = { descriptions: 0 };
  pool.on('connect', (client: pg.ClientBase) =>
    (client as unknown as { connection: NodeJS.EventEmitter }).connection.on(
      'rowDescription',
      () => (seen.descriptions += 1),
    ),
  );
  return { db, seen, ask: (text: string, values: unknown[] = []) => run(db, text, values) };
}

const NUMBER = 'select $1::integer as n, $2::numeric as units, now() is null as never';
const ANSWER = [{ n: 7, units: 12n, never: false }];

test('what a statement answers is described once, and read the same each time', async () => {
  const { ask, seen } = open();
  for (let turn = 0; turn < 4; turn += 1) expect(await ask(NUMBER, [7, 12n])).toEqual(ANSWER);
  expect(seen.descriptions).toBe(1);
  expect(await ask('select 1 as one where $1', [false])).toEqual([]);
  expect(await ask('select 1 as one where $1', [true])).toEqual([{ one: 1 }]);
  expect(seen.descriptions).toBe(2);
});

test('what one database is asked takes no names from another', async () => {
  const [crowded, other] = [open(), open()];
  for (let n = 0; n < 1000; n += 1) await crowded.ask(`select ${n} as n`);
  for (let turn = 0; turn < 2; turn += 1) {
    await crowded.ask(NUMBER, [7, 12n]);
    await other.ask(NUMBER, [7, 12n]);
  }
  // Beyond a thousand they have none, and are described each time.
  expect(crowded.seen.descriptions).toBe(1002);
  expect(other.seen.descriptions).toBe(1);
});

test('so is one of a transaction, whatever is sent along with it', async () => {
  const { db, ask, seen } = open();
  await ask('create table told (n integer)');
  const again = () =>
    transact(db, async (tx) => {
      const found = await run(tx, NUMBER, [7, 12n]);
      await runLast(tx, 'insert into told (n) select n from (select $1::integer as n) s', [1]);
      return found;
    });
  await again();
  const before = seen.descriptions;
  expect([await again(), await again()]).toEqual([ANSWER, ANSWER]);
  expect(seen.descriptions).toBe(before);
  expect(await ask('select n from told')).toHaveLength(3);
});

test('after a migration a statement answers the columns that there are by then', async () => {
  const { ask } = open();
  await ask('create table moved (a text, b text)');
  await ask('insert into moved (a, b) values ($1, $2)', ['one', 'two']);
  const READ = 'select * from moved where $1::boolean';
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ask(READ, [true])).toEqual([{ a: 'one', b: 'two' }]);
  // As many as before, and of the same type.
  await ask('alter table moved drop column a');
  await ask(`alter table moved add column c text default 'three'`);
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ask(READ, [true])).toEqual([{ b: 'two', c: 'three' }]);
  await ask('alter table moved rename column c to d');
  expect(await ask(READ, [true])).toEqual([{ b: 'two', d: 'three' }]);
});

test('a statement that fails answers as before when it is asked again', async () => {
  const { ask } = open();
  const HALF = 'select 10 / $1::integer as half';
  expect(await ask(HALF, [2])).toEqual([{ half: 5 }]);
  await expect(ask(HALF, [0])).rejects.toThrow('division by zero');
  await expect(ask(HALF, [{ toPostgres: () => refuse() }])).rejects.toThrow('no text');
  expect(await ask(HALF, [5])).toEqual([{ half: 2 }]);
});

const refuse = () => {
  throw new Error('no text');
};

test('behind a pooler, whose session may be another each time, nothing is taken for known', async () => {
  const { ask, seen } = open({ pooled: true });
  for (let turn = 0; turn < 3; turn += 1) expect(await ask(NUMBER, [7, 12n])).toEqual(ANSWER);
  expect(seen.descriptions).toBe(3);
});
