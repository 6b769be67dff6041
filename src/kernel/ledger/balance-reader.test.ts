import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase } from '../db/db.ts';
import { balancesOf, houseAccount, openAccount } from './accounts.ts';
import { createBalanceReader } from './balance-reader.ts';
import { transfer } from './ledger.ts';
import { postWithin } from './post.ts';

let database: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
});

afterAll(async () => {
  await open.close();
  await database.close();
});

test('balances asked for in one turn are read by one statement, each the right one', async () => {
  const world = await openAccount(open.db, houseAccount('world', 'IDR'));
  const accounts: number[] = [];
  for (const units of [1n, 2n, 3n, 4n]) {
    const name = { owner: `user:${units}`, purpose: 'wallet', asset: 'IDR' } as const;
    const account = await openAccount(open.db, name);
    const legs = transfer(world, account, units);
    await postWithin(open.db, { key: name.owner, kind: 'fund', legs });
    accounts.push(account);
  }
  let statements = 0;
  const pool = new pg.Pool({ connectionString: database.url });
  pool.on('acquire', () => {
    statements += 1;
  });
  const read = createBalanceReader(pool);
  const asked = [...accounts, 999_999_999, ...accounts];
  const balances = await Promise.all(asked.map((account) => read(account)));
  const truth = await balancesOf(open.db, accounts);
  expect(balances).toEqual(asked.map((account) => truth.get(account)));
  expect(balances[4]).toBeUndefined();
  expect(statements).toBe(1);
  expect(await read(accounts[0] ?? 0)).toEqual({
    posted: 1n,
    held: 0n,
    available: 1n,
    is_frozen: false,
  });
  await pool.end();
  const refused = await Promise.allSettled(accounts.map(read));
  expect(refused.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
});
