import { afterAll, expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import { silentProxy } from '#test/silent-proxy.ts';
import { isoTime, openDatabase, run } from './db.ts';
import { isDatabaseUnavailable } from './sql-errors.ts';

const database = await testDatabase();
const { db, pool, close } = openDatabase(database.url, { max: 2 });
afterAll(async () => {
  await close();
  await database.close();
});

test('statements go on working after a migration gave their table another column', async () => {
  await pool.query('create table things (n integer)');
  const read = () => run(db, 'select * from things where n > $1', [0]);
  const write = () =>
    transact(db, (tx) => run(tx, 'insert into things (n) values ($1) returning *', [1]));
  // Prepared on both connections.
  await Promise.all([read(), read(), write(), write()]);
  await Promise.all([read(), read(), write(), write()]);
  await pool.query('alter table things add column label text');
  expect(await Promise.all([read(), read()])).toMatchObject([{ length: 4 }, { length: 4 }]);
  expect(await Promise.all([write(), write()])).toEqual([
    [{ n: 1, label: null }],
    [{ n: 1, label: null }],
  ]);
});

test('a query on a connection that was silently dropped fails, and the next one works', async () => {
  const proxy = await silentProxy(database.url);
  const far = openDatabase(proxy.url, { max: 1, statementMs: 100 });
  // The server itself gives nothing up here, however slow it is.
  far.pool.on('connect', (one) => void one.query('set statement_timeout = 0'));
  const ask = () => transact(far.db, (tx) => run(tx, 'select $1::integer as n', [1]));
  try {
    expect(await ask()).toEqual([{ n: 1 }]);
    proxy.silence();
    const error = await ask().catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await ask()).toEqual([{ n: 1 }]);
  } finally {
    proxy.close();
    await far.close();
  }
});

test('times of the database read as a Date would write them, in any form', () => {
  const times = [
    '2026-01-02 03:04:05+00',
    '2026-01-02 03:04:05.6+00',
    '2026-01-02 03:04:05.678+00',
    '2026-01-02 03:04:05.678912+00',
    '2026-01-02 03:04:05.000999+00',
    '1970-01-01 00:00:00+00',
    '2026-01-02 03:04:05.5+07',
    '2026-01-02 03:04:05-03:30',
  ];
  for (const text of times) expect(isoTime(text)).toBe(new Date(text).toISOString());
});
