import { afterAll, expect, test } from 'vitest';
import { decide } from '#kernel/access/attempts.ts';
import { type Db, openDatabase } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from './database.ts';
import { mustNeedOneConnection } from './one-connection.ts';

const database = await testDatabase();
const { db, close } = openDatabase(database.url, { max: 2 });
const other = openDatabase(database.url, { max: 1 });
afterAll(async () => {
  await Promise.all([close(), other.close()]);
  await database.close();
});

const ask = (on: Db, what = 'fees') => openAccount(on, houseAccount(what, 'USD'));
const BY = 'A second connection: src/kernel/ledger/accounts.ts:';

test('a transaction that takes a second connection is refused, and fails the run', async () => {
  const asking = decide(db, async (tx) => {
    await ask(tx);
    return ask(db);
  });
  await expect(asking).rejects.toThrow(BY);
  expect(mustNeedOneConnection).toThrow('of test/one-connection.test.ts:');
  expect(mustNeedOneConnection).not.toThrow();
});

test('one that catches the refusal fails the run, and so does a nested one', async () => {
  await decide(db, () => ask(db).catch(() => undefined));
  expect(mustNeedOneConnection).toThrow('accounts.ts');
  await decide(db, () => decide(db, (tx) => ask(tx)).catch(() => undefined));
  expect(mustNeedOneConnection).toThrow('attempts.ts');
});

test('another pool, concurrent work, and later work are allowed', async () => {
  await decide(db, async (tx) => void (await Promise.all([ask(tx), ask(other.db, 'others')])));
  const late = await decide(db, async (tx) => {
    await ask(tx);
    // It continues after the transaction.
    return () => ask(db);
  });
  await Promise.all([late(), decide(db, (tx) => ask(tx)), decide(db, (tx) => ask(tx))]);
  expect(mustNeedOneConnection).not.toThrow();
});

test('a test may hold a connection itself', async () => {
  await transact(db, () => ask(db));
  expect(mustNeedOneConnection).not.toThrow();
});
