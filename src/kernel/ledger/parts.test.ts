import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { totalsOf } from '#test/ledger/totals.ts';
import { type Db, type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { transact } from '../transact.ts';
import { balanceOf, closeAccount, houseAccount, openAccount } from './accounts.ts';
import { hold, type Leg, release, transfer } from './ledger.ts';
import { type Parts, splitAccounts } from './parts.ts';
import { postAllWithin, postWithin } from './post.ts';
import { type HouseRow, houseStatementOf } from './statement.ts';
import { verifyLedger } from './verify.ts';

/** A process: a pool of its own, and a number that tells it from the others. */
type Process = OpenDatabase & { readonly parts: Parts };

let database: Awaited<ReturnType<typeof testDatabase>>;
let processes: readonly Process[];
let one: Process;
let other: Process;

beforeAll(async () => {
  database = await testDatabase();
  processes = [16, 3, 5].map((number) => {
    const open = openDatabase(database.url);
    return { ...open, parts: splitAccounts(open.db, () => number) };
  });
  [, one, other] = processes as [Process, Process, Process];
});

afterAll(async () => {
  const { broken } = await verifyLedger(one.db);
  for (const { close } of processes) await close();
  await database.close();
  expect(broken).toEqual([]);
});

/** A house account, with a part in each of the processes that have one. */
async function split(): Promise<number> {
  const account = await openAccount(one.db, houseAccount(randomUUID(), 'IDR'));
  for (const { parts } of processes) await parts.open(account);
  return account;
}
const wallet = () =>
  openAccount(one.db, { owner: `user:${randomUUID()}`, purpose: 'wallet', asset: 'IDR' });
const operation = (legs: Leg[], key: string = randomUUID()) => ({ key, kind: 'test', legs });
const post = (db: Db, legs: Leg[], key?: string) =>
  transact(db, (tx) => postWithin(tx, operation(legs, key)));
const rowsOf = (account: number) =>
  run<{ part: number; posted: bigint; held: bigint }>(
    one.db,
    `select part, posted, held from ledger.accounts
     where account_id = $1 or part_of = $1 order by part`,
    [account],
  );

test('two processes move the same account, and neither waits for the other’s commit', async () => {
  const [house, mine, theirs] = [await split(), await wallet(), await wallet()];
  await transact(one.db, async (tx) => {
    await postWithin(tx, operation(transfer(house, mine, 5n)));
    await transact(other.db, async (late) => {
      await run(late, `set local lock_timeout = '5s'`, []);
      await postWithin(late, operation(transfer(house, theirs, 7n)));
    });
  });
  expect(await balanceOf(one.db, house)).toEqual({
    posted: -12n,
    held: 0n,
    available: -12n,
    is_frozen: false,
  });
  expect(await rowsOf(house)).toEqual([
    { part: 0, posted: 0n, held: 0n },
    { part: 3, posted: -5n, held: 0n },
    { part: 5, posted: -7n, held: 0n },
  ]);
});

test('an operation that another process repeats is the same one, in whichever row', async () => {
  const [house, mine] = [await split(), await wallet()];
  const key = randomUUID();
  const [first, ...again] = [
    await post(one.db, transfer(house, mine, 5n), key),
    await post(other.db, transfer(house, mine, 5n), key),
    await post(one.db, transfer(house, mine, 5n), key),
  ];
  for (const { status, transfer_id } of again)
    expect([status, transfer_id]).toEqual(['duplicate', first?.transfer_id]);
  await expect(post(other.db, transfer(house, mine, 6n), key)).rejects.toThrow(/key-reused/);
  expect((await balanceOf(one.db, mine)).posted).toBe(5n);
});

test('an account that several operations of a batch move gets a part by itself', async () => {
  const house = await openAccount(one.db, houseAccount(randomUUID(), 'IDR'));
  const wallets = [await wallet(), await wallet()];
  await post(one.db, transfer(house, wallets[0] ?? 0, 1n));
  expect(await rowsOf(house)).toHaveLength(1);
  const batch = () => wallets.map((to) => operation(transfer(house, to, 1n)));
  await transact(one.db, (tx) => postAllWithin(tx, batch()));
  await expect.poll(() => rowsOf(house)).toHaveLength(2);
  await expect.poll(() => one.parts.rowOf(house)).not.toBe(house);
  await transact(one.db, (tx) => postAllWithin(tx, batch()));
  expect(await rowsOf(house)).toMatchObject([{ posted: -3n }, { part: 3, posted: -2n }]);
});

test('an account that must not go negative is never split, and its balance is weighed as a whole', async () => {
  const [house, mine] = [await split(), await wallet()];
  await post(one.db, transfer(house, mine, 10n));
  for (const { parts } of processes) await parts.open(mine);
  expect(await rowsOf(mine)).toHaveLength(1);
  const spend = processes.map(({ db }) => post(db, transfer(mine, house, 8n)));
  const ends = (await Promise.allSettled(spend)).map(({ status }) => status);
  expect(ends.toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  const insert = (of: number, floor: string) =>
    run(
      one.db,
      `insert into ledger.accounts (owner, purpose, asset, min_available, part_of, part)
       select owner, purpose, asset, ${floor}, $1, 9 from ledger.accounts where account_id = $1`,
      [of],
    );
  for (const [of, floor] of [
    [mine, '0'],
    [mine, 'null'],
    [house, '0'],
  ] as const)
    await expect(insert(of, floor)).rejects.toMatchObject({ constraint: 'accounts_parts' });
});

test('what one process sets aside of it, another can release', async () => {
  const [house, mine] = [await split(), await wallet()];
  await post(one.db, transfer(house, mine, 5n));
  await post(one.db, hold(house, 3n));
  expect(await balanceOf(one.db, house)).toEqual({
    posted: -5n,
    held: 3n,
    available: -8n,
    is_frozen: false,
  });
  await expect(post(other.db, release(house, 4n))).rejects.toThrow(/held-underflow/);
  await post(other.db, release(house, 3n));
  expect(await balanceOf(one.db, house)).toEqual({
    posted: -5n,
    held: 0n,
    available: -5n,
    is_frozen: false,
  });
});

test('it is closed as a whole, once none of its rows has anything', async () => {
  const [house, mine] = [await split(), await wallet()];
  await post(one.db, transfer(house, mine, 5n));
  await expect(closeAccount(one.db, house)).rejects.toMatchObject({ code: 'CONFLICT' });
  await post(one.db, transfer(mine, house, 5n));
  expect(await closeAccount(one.db, house)).toBe(true);
  for (const { db } of processes)
    await expect(post(db, transfer(house, mine, 1n))).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_ACTIVE',
    });
});

/** All of it, in pages. */
async function statement(account: number, limit: number): Promise<HouseRow[]> {
  const rows: HouseRow[] = [];
  for (let after: string | undefined; ; ) {
    const page = await houseStatementOf(one.db, account, { after, limit });
    rows.push(...page.rows);
    if (page.next === undefined) return rows;
    after = page.next;
  }
}

const moves = fc.array(fc.record({ by: fc.nat(2), units: fc.bigInt({ min: -9n, max: 9n }) }), {
  minLength: 1,
  maxLength: 25,
});

test('whichever processes post what, its balance, totals and statement are those of one account', async () => {
  await fc.assert(
    fc.asyncProperty(moves, fc.integer({ min: 1, max: 7 }), async (all, limit) => {
      const purpose = randomUUID();
      const house = await openAccount(one.db, houseAccount(purpose, 'IDR'));
      const world = await openAccount(one.db, houseAccount('world', 'IDR'));
      for (const { parts } of processes) await parts.open(house);
      const posted = all.filter(({ units }) => units !== 0n);
      const transfers: number[] = [];
      for (const { by, units } of posted) {
        const legs = units > 0n ? transfer(world, house, units) : transfer(house, world, -units);
        transfers.push((await post(processes[by]?.db as Db, legs)).transfer_id);
      }
      const balance = posted.reduce((sum, { units }) => sum + units, 0n);
      const volume = posted.reduce((sum, { units }) => sum + (units < 0n ? -units : units), 0n);
      expect((await balanceOf(one.db, house)).posted).toBe(balance);
      expect(await totalsOf(one.db, ['house'], purpose)).toEqual([
        { owner: 'house', asset: 'IDR', moves: posted.length, volume, balance },
      ]);
      const rows = await statement(house, limit);
      expect(rows.map(({ transfer_id }) => transfer_id)).toEqual(transfers.toReversed());
      expect(rows.map(({ amount }) => amount)).toEqual(
        posted.map(({ units }) => units).toReversed(),
      );
      expect(new Set(rows.map(({ line }) => line)).size).toBe(rows.length);
    }),
    { numRuns: 25 },
  );
});
