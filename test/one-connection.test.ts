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

test('a transaction whose work asks the pool for another connection is refused, and so is the run', async () => {
  const asking = decide(db, async (tx) => {
    await ask(tx);
    return ask(db);
  });
  await expect(asking).rejects.toThrow(BY);
  expect(mustNeedOneConnection).toThrow('of test/one-connection.test.ts:');
  expect(mustNeedOneConnection).not.toThrow();
});

test('so is one that bears it, and a transaction of its own in there', async () => {
  await decide(db, () => ask(db).catch(() => undefined));
  expect(mustNeedOneConnection).toThrow('accounts.ts');
  await decide(db, () => decide(db, (tx) => ask(tx)).catch(() => undefined));
  expect(mustNeedOneConnection).toThrow('attempts.ts');
});

test('another pool, work beside it, and what comes after it are not', async () => {
  await decide(db, async (tx) => void (await Promise.all([ask(tx), ask(other.db, 'others')])));
  const late = await decide(db, async (tx) => {
    await ask(tx);
    // It goes on when the transaction is over.
    return () => ask(db);
  });
  await Promise.all([late(), decide(db, (tx) => ask(tx)), decide(db, (tx) => ask(tx))]);
  expect(mustNeedOneConnection).not.toThrow();
});

test('nor is a test that holds one itself', async () => {
  await transact(db, () => ask(db));
  expect(mustNeedOneConnection).not.toThrow();
});
