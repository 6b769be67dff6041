import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import type { Asset } from '../money/money.ts';
import { transact } from '../transact.ts';
import { balanceOf, closeAccount, houseAccount, openAccount } from './accounts.ts';
import {
  capture,
  exchangeOperation,
  hold,
  type Leg,
  type Operation,
  release,
  transfer,
  withFee,
} from './ledger.ts';
import { postWithin } from './post.ts';
import { verifyLedger } from './verify.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let open: OpenDatabase;
let world: number;
let count = 0;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  world = await openAccount(open.db, houseAccount('world', 'IDR'));
});

afterAll(async () => {
  const { broken } = await verifyLedger(open.db);
  await open.close();
  await database.close();
  expect(broken).toEqual([]);
});

async function wallet(units: bigint, asset: Asset = 'IDR'): Promise<number> {
  count += 1;
  const account = await openAccount(open.db, { owner: `user:${count}`, purpose: 'wallet', asset });
  const source = await openAccount(open.db, houseAccount('world', asset));
  if (units > 0n) await post(transfer(source, account, units));
  return account;
}

const operation = (legs: Leg[], key: string = randomUUID()): Operation => ({
  key,
  kind: 'test',
  legs,
});
const post = (legs: Leg[], key?: string) =>
  transact(open.db, (tx) => postWithin(tx, operation(legs, key)));
const posted = async (account: number) => (await balanceOf(open.db, account)).posted;

test('a transfer moves exactly its amount from one account to the other', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const answer = await post(transfer(a, b, 30n));
  expect(answer.status).toBe('posted');
  expect(answer.transfer_id).toBeGreaterThan(0);
  expect([await posted(a), await posted(b)]).toEqual([70n, 30n]);
});

test('more than is available cannot be spent, and nothing is stored of the try', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const refused = expect.objectContaining({ code: 'INSUFFICIENT_BALANCE' });
  await expect(post(transfer(a, b, 101n), 'too-much')).rejects.toEqual(refused);
  expect([await posted(a), await posted(b)]).toEqual([100n, 0n]);
  await post(transfer(world, a, 1n));
  expect((await post(transfer(a, b, 101n), 'too-much')).status).toBe('posted');
});

test('a key posts once; again it answers the same transfer', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const first = await post(transfer(a, b, 10n), 'once');
  const again = await post(transfer(a, b, 10n), 'once');
  expect(again).toEqual({ status: 'duplicate', transfer_id: first.transfer_id });
  expect(await posted(a)).toBe(90n);
});

test('a key that comes back with other legs or another kind is refused', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  await post(transfer(a, b, 10n), 'mine');
  await expect(post(transfer(a, b, 11n), 'mine')).rejects.toThrow(/key-reused/);
  const kind = { ...operation(transfer(a, b, 10n), 'mine'), kind: 'other' };
  await expect(postWithin(open.db, kind)).rejects.toThrow(/key-reused/);
  expect(await posted(a)).toBe(90n);
});

test('the posting goes with the transaction it is part of', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const failing = open.db.transaction().execute(async (tx) => {
    await postWithin(tx, operation(transfer(a, b, 10n), 'undone'));
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await posted(a)).toBe(100n);
  expect((await post(transfer(a, b, 10n), 'undone')).status).toBe('posted');
});

test('a fee comes out of the amount and reaches its account', async () => {
  const [from, to] = [await wallet(1000n), await wallet(0n)];
  const fees = await openAccount(open.db, houseAccount('fees', 'IDR'));
  const before = await posted(fees);
  await post(withFee({ from, to, fees, amount: 1000n, fee: 7n }));
  expect([await posted(from), await posted(to)]).toEqual([0n, 993n]);
  expect(await posted(fees)).toBe(before + 7n);
});

test('what is held is not available, until it is captured or released', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  await post(hold(a, 60n));
  expect(await balanceOf(open.db, a)).toEqual({
    posted: 100n,
    held: 60n,
    available: 40n,
    is_frozen: false,
  });
  const refused = expect.objectContaining({ code: 'INSUFFICIENT_BALANCE' });
  await expect(post(transfer(a, b, 41n))).rejects.toEqual(refused);
  await expect(post(hold(a, 41n))).rejects.toEqual(refused);
  await post(capture(a, b, 50n));
  expect(await balanceOf(open.db, a)).toEqual({
    posted: 50n,
    held: 10n,
    available: 40n,
    is_frozen: false,
  });
  await post(release(a, 10n));
  expect(await balanceOf(open.db, a)).toEqual({
    posted: 50n,
    held: 0n,
    available: 50n,
    is_frozen: false,
  });
  await expect(post(release(a, 1n))).rejects.toThrow(/held-underflow/);
});

test('an exchange balances in each asset, at the rate it records', async () => {
  const [idr, usd] = [await wallet(16_000_000n), await wallet(0n, 'USD')];
  const trade = exchangeOperation({
    from: idr,
    to: usd,
    soldPosition: await openAccount(open.db, houseAccount('position', 'IDR')),
    boughtPosition: await openAccount(open.db, houseAccount('position', 'USD')),
    sell: { asset: 'IDR', units: 15_999_999n },
    rate: '0.0000625',
    asset: 'USD',
  });
  expect(trade.meta).toEqual({ rate: '0.0000625', sold: '15999999', bought: '999' });
  await post(trade.legs);
  expect([await posted(idr), await posted(usd)]).toEqual([1n, 999n]);
});

test('legs must sum to zero in each asset, not just all together', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const usd = await wallet(100n, 'USD');
  const lopsided = [
    { account: a, amount: -10n },
    { account: b, amount: 11n },
  ];
  await expect(post(lopsided)).rejects.toThrow(/unbalanced/);
  const mixed = [
    { account: a, amount: -10n },
    { account: usd, amount: 10n },
  ];
  await expect(post(mixed)).rejects.toThrow(/unbalanced/);
});

test('an account that does not exist, or is closed, takes part in nothing', async () => {
  const [a, b] = [await wallet(10n), await wallet(0n)];
  await expect(post(transfer(a, 999_999_999, 1n))).rejects.toThrow(/unknown-account/);
  await expect(closeAccount(open.db, a)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await closeAccount(open.db, b)).toBe(true);
  expect(await closeAccount(open.db, b)).toBe(false);
  await expect(post(transfer(a, b, 1n))).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE' });
});

test('an account may appear in several legs; only where it ends up counts', async () => {
  const [a, b] = [await wallet(10n), await wallet(0n)];
  await post([...transfer(a, b, 100n), ...transfer(b, a, 95n)]);
  expect([await posted(a), await posted(b)]).toEqual([5n, 5n]);
  await post([...transfer(a, a, 5n)]);
  expect(await posted(a)).toBe(5n);
});

test('eighteen decimals fit, and what no longer fits is refused as a whole', async () => {
  const [a, b] = [await wallet(0n, 'ETH'), await wallet(0n, 'ETH')];
  const source = await openAccount(open.db, houseAccount('world', 'ETH'));
  const most = 10n ** 38n - 1n;
  await post(transfer(source, a, most));
  expect(await posted(a)).toBe(most);
  await expect(post(transfer(source, a, 1n))).rejects.toThrow(/invalid-amount/);
  await post(transfer(a, b, 1n));
  await post(transfer(a, source, most - 1n));
});

test('mistakes in an operation are found before it is sent', async () => {
  const a = await wallet(10n);
  const bad: Operation[] = [
    { key: '', kind: 'test', legs: hold(a, 1n) },
    { key: 'k'.repeat(201), kind: 'test', legs: hold(a, 1n) },
    { key: 'nul\0', kind: 'test', legs: hold(a, 1n) },
    { key: 'half \ud800', kind: 'test', legs: hold(a, 1n) },
    { key: 'kind', kind: 'No Kind', legs: hold(a, 1n) },
    { key: 'none', kind: 'test', legs: [] },
    { key: 'idle', kind: 'test', legs: [{ account: a, amount: 0n }] },
    { key: 'range', kind: 'test', legs: [{ account: a, amount: 10n ** 38n }] },
    { key: 'account', kind: 'test', legs: [{ account: 1.5, amount: 1n }] },
  ];
  for (const one of bad) await expect(postWithin(open.db, one), one.key).rejects.toThrow();
  expect(() => transfer(a, a, 0n)).toThrow();
  expect(() => hold(a, -1n)).toThrow();
  expect(() => withFee({ from: a, to: a, fees: a, amount: 5n, fee: 5n })).toThrow();
});

test('keys and metadata come back as they were sent, with any content', async () => {
  const [a, b] = [await wallet(10n), await wallet(0n)];
  const key = `quotes " back \\ slash {comma,} null "NULL" ' ; -- \n 💸`;
  const meta = { note: `"}, \\ 'x' 💸`, nested: { list: [1, null, 'NULL'] } };
  const { transfer_id } = await postWithin(open.db, {
    ...operation(transfer(a, b, 1n), key),
    meta,
  });
  const text = 'select operation_key, meta from ledger.transfers where transfer_id = $1';
  expect(await run(open.db, text, [transfer_id])).toEqual([{ operation_key: key, meta }]);
});

test('of forty that withdraw ten at once from a hundred, ten do', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const tries = Array.from({ length: 40 }, () => post(transfer(a, b, 10n)));
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect([await posted(a), await posted(b)]).toEqual([0n, 100n]);
});

test('the same key posted by many at once moves money once', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const tries = Array.from({ length: 20 }, () => post(transfer(a, b, 10n), 'all-at-once'));
  const answers = await Promise.all(tries);
  expect(answers.filter(({ status }) => status === 'posted')).toHaveLength(1);
  expect(new Set(answers.map(({ transfer_id }) => transfer_id)).size).toBe(1);
  expect(await posted(a)).toBe(90n);
});

test('of those who post one key on different accounts at once, one wins', async () => {
  const pairs = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async () => [await wallet(10n), await wallet(0n)] as const),
  );
  const tries = pairs.map(([a, b]) => post(transfer(a, b, 10n), 'whose'));
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(String(result.reason)).toMatch(/key-reused/);
  }
});

test('transfers that cross each other do not deadlock', async () => {
  const [a, b] = [await wallet(1000n), await wallet(1000n)];
  const tries = Array.from({ length: 40 }, (_, i) =>
    post(i % 2 === 0 ? transfer(a, b, 1n) : transfer(b, a, 1n)),
  );
  await Promise.all(tries);
  expect([await posted(a), await posted(b)]).toEqual([1000n, 1000n]);
});

test('a second posting in a transaction is refused, and undone with the first', async () => {
  const [one, two] = [await wallet(10n), await wallet(0n)];
  const twice = transact(open.db, async (tx) => {
    await postWithin(tx, operation(transfer(one, two, 1n)));
    await postWithin(tx, operation(transfer(one, two, 1n)));
  });
  await expect(twice).rejects.toThrow('A transaction posts to the ledger once');
  expect(await balanceOf(open.db, two)).toMatchObject({ posted: 0n });
});
