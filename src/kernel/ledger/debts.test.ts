import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase } from '../db/db.ts';
import { transact } from '../transact.ts';
import { balanceOf, houseAccount, openAccount } from './accounts.ts';
import { postOrOwe, type Taking } from './debts.ts';
import { hold, type Operation, release, transfer } from './ledger.ts';
import { postWithin } from './post.ts';
import { verifyLedger } from './verify.ts';

let database: TestDatabase;
let open: OpenDatabase;
let world: number;
let owedTo: number;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  world = await openAccount(open.db, houseAccount('world', 'IDR'));
  owedTo = await openAccount(open.db, houseAccount('owed', 'IDR'));
});

afterAll(async () => {
  const { broken } = await verifyLedger(open.db);
  await open.close();
  await database.close();
  expect(broken).toEqual([]);
});

const operation = (legs: Operation['legs']): Operation => ({
  key: randomUUID(),
  kind: 'test',
  legs,
});
const post = (legs: Operation['legs']) =>
  transact(open.db, (tx) => postWithin(tx, operation(legs)));
const taking = (account: number, units: bigint): Taking => ({
  operation: operation([{ account: world, amount: units }]),
  account,
  user_id: 1,
  owedTo,
  units,
});

/** A wallet with that many units, of which so many are held. */
async function wallet(units: bigint, held = 0n): Promise<number> {
  const name = { owner: `user:${randomUUID()}`, purpose: 'wallet', asset: 'IDR' } as const;
  const account = await openAccount(open.db, name);
  await post(transfer(world, account, units));
  if (held > 0n) await post(hold(account, held));
  return account;
}
const standOf = async (account: number) => {
  const { posted, held } = await balanceOf(open.db, account);
  return [posted, held];
};

test('a taking pays with what an operation before it sets free', async () => {
  const account = await wallet(10n, 8n);
  const owed = await transact(open.db, (tx) =>
    postOrOwe(tx, [operation(release(account, 8n)), taking(account, 12n)]),
  );
  expect(owed).toEqual([0n, 2n]);
  expect(await standOf(account)).toEqual([0n, 0n]);
});

test('two takings of one wallet share what is in it', async () => {
  const account = await wallet(10n);
  const owed = await transact(open.db, (tx) =>
    postOrOwe(tx, [taking(account, 6n), taking(account, 6n)]),
  );
  expect(owed).toEqual([0n, 2n]);
  expect(await standOf(account)).toEqual([0n, 0n]);
});

test('a wallet that spends meanwhile pays less, and each operation is posted once', async () => {
  for (let n = 0; n < 10; n += 1) {
    const [account, other] = [await wallet(10n, 4n), await wallet(1n)];
    const spend = () => post(transfer(account, other, 1n)).catch(() => undefined);
    const [, owed] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, spend)),
      transact(open.db, (tx) =>
        postOrOwe(tx, [operation(release(account, 4n)), taking(account, 10n)]),
      ),
    ]);
    const [left, spent] = [await standOf(account), (await standOf(other))[0] ?? 0n];
    expect(left[1]).toBe(0n);
    expect((left[0] ?? 0n) + spent + (10n - (owed[1] ?? 0n))).toBe(11n);
  }
});
