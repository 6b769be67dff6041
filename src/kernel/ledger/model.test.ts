import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { freezeAccount, unfreezeAccount } from './accounts.ts';
import { decode, encode, POST_SQL, type PostRow, preparePosting } from './batch.ts';
import type { Leg, Status } from './ledger.ts';
import { verifyLedger } from './verify.ts';

/** The posting function once more, as simple as it can be said, to compare the real one with. */
interface ModelAccount {
  readonly asset: string;
  readonly floor: bigint | undefined;
  readonly closed: boolean;
  /** What a batch has to leave of what may be spent. */
  frozenAt?: bigint | undefined;
  posted: bigint;
  held: bigint;
  moves: number;
  volume: bigint;
}

const ACCOUNTS = [
  { asset: 'IDR', floor: undefined, closed: false },
  { asset: 'IDR', floor: 0n, closed: false },
  { asset: 'IDR', floor: 0n, closed: false },
  { asset: 'USD', floor: undefined, closed: false },
  { asset: 'USD', floor: 0n, closed: false },
  { asset: 'USD', floor: 0n, closed: true },
] as const;
const NOWHERE = ACCOUNTS.length;
/** The one that is frozen now and then. */
const FROZEN = 2;

function createModel() {
  const accounts: ModelAccount[] = ACCOUNTS.map((one) => ({
    ...one,
    posted: 0n,
    held: 0n,
    moves: 0,
    volume: 0n,
  }));
  const keys = new Map<string, string>();
  function post(key: string, legs: readonly Leg[]): Status {
    const content = JSON.stringify(legs, (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    const known = keys.get(key);
    if (known !== undefined) return known === content ? 'duplicate' : 'key-reused';
    for (const { account } of legs) {
      if (!accounts[account]) return 'unknown-account';
      if (accounts[account].closed) return 'closed-account';
    }
    const after = accounts.map((one) => ({ ...one }));
    const sums = new Map<string, bigint>();
    for (const { account, amount, held = 0n } of legs) {
      const one = after[account];
      if (!one) continue;
      one.posted += amount;
      one.held += held;
      one.moves += amount === 0n ? 0 : 1;
      one.volume += amount < 0n ? -amount : amount;
      sums.set(one.asset, (sums.get(one.asset) ?? 0n) + amount);
    }
    if ([...sums.values()].some((sum) => sum !== 0n)) return 'unbalanced';
    for (const { account } of legs) {
      const one = after[account];
      if (!one) continue;
      if (one.held < 0n) return 'held-underflow';
      const available = one.posted - one.held;
      if (one.frozenAt !== undefined && available < one.frozenAt) return 'frozen-account';
      if (one.floor !== undefined && available < one.floor) return 'insufficient-funds';
    }
    for (const [i, one] of after.entries()) Object.assign(accounts[i] ?? {}, one);
    keys.set(key, content);
    return 'posted';
  }
  /** Before a batch. */
  function freeze(account: number, isFrozen: boolean): void {
    const one = accounts[account];
    if (one) one.frozenAt = isFrozen ? one.posted - one.held : undefined;
  }
  return { accounts, freeze, post };
}

const anywhere = fc.nat(NOWHERE);
const units = fc.bigInt({ min: 1n, max: 20n });
/** Mostly between accounts of one asset, now and then between any two. */
const pair = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat(2), fc.nat(2)) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(3, 4), fc.constantFrom(3, 4)) },
  { weight: 1, arbitrary: fc.tuple(anywhere, anywhere) },
);
const account = pair.map(([one]) => one);
const move = fc.tuple(pair, units).map(([[from, to], amount]): Leg[] => [
  { account: from, amount: -amount },
  { account: to, amount },
]);
const holding = fc
  .tuple(account, fc.bigInt({ min: -20n, max: 20n }))
  .map(([to, held]): Leg[] => [{ account: to, amount: 0n, held: held === 0n ? 1n : held }]);
const spend = fc.tuple(pair, units).map(([[from, to], amount]): Leg[] => [
  { account: from, amount: -amount, held: -amount },
  { account: to, amount },
]);
const stray = fc.tuple(account, units).map(([to, amount]): Leg[] => [{ account: to, amount }]);
const legs = fc
  .array(
    fc.oneof({ weight: 8, arbitrary: move }, holding, spend, { weight: 1, arbitrary: stray }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.flat());
/** One in four repeats an earlier one, as a caller does who lost the answer. */
const operation = fc.record({ key: fc.nat(25), legs, again: fc.option(fc.nat(), { freq: 3 }) });
const batches = fc.array(fc.array(operation, { minLength: 5, maxLength: 25 }), {
  minLength: 1,
  maxLength: 4,
});

let database: Awaited<ReturnType<typeof testDatabase>>;
let open: OpenDatabase;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
});

afterAll(async () => {
  await open.close();
  await database.close();
});

const counted = ({ posted, held, moves, volume }: ModelAccount) => ({
  posted,
  held,
  moves,
  volume,
});

let runs = 0;

/** New accounts for each run, in the order of the model's. */
async function openAll(): Promise<number[]> {
  runs += 1;
  const ids: number[] = [];
  for (const [i, { asset, floor, closed }] of ACCOUNTS.entries()) {
    const [row] = await run<{ account_id: number }>(
      open.db,
      `insert into ledger.accounts (owner, purpose, asset, min_available, status)
       values ($1, $2, $3, $4, $5) returning account_id`,
      [`run:${runs}`, `n${i}`, asset, floor?.toString() ?? null, closed ? 'closed' : 'open'],
    );
    ids.push(row?.account_id ?? 0);
  }
  return [...ids, 2_000_000_000];
}

test('any operations in any batches come to what the model says', async () => {
  const seen = new Map<Status, number>();
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const ids = await openAll();
      const model = createModel();
      const before: { key: number; legs: Leg[] }[] = [];
      for (const [n, operations] of all.entries()) {
        // One is frozen for every other batch.
        const isFrozen = n % 2 === 1;
        model.freeze(FROZEN, isFrozen);
        if (isFrozen) await freezeAccount(open.db, ids[FROZEN] ?? 0);
        else await unfreezeAccount(open.db, ids[FROZEN] ?? 0);
        const batch = operations.map((one) => {
          const chosen = before[(one.again ?? Number.NaN) % before.length] ?? one;
          before.push(chosen);
          return chosen;
        });
        const prepared = batch.map((one) =>
          preparePosting({
            key: `run:${runs}:${one.key}`,
            kind: 'model',
            legs: one.legs.map((leg) => ({ ...leg, account: ids[leg.account] ?? 0 })),
          }),
        );
        const [row] = await run<PostRow>(open.db, POST_SQL, encode(prepared));
        const expected = batch.map((one) => model.post(`${one.key}`, one.legs));
        expect(row && decode(row).map(([status]) => status)).toEqual(expected);
        for (const status of expected) seen.set(status, (seen.get(status) ?? 0) + 1);
      }
      const balances = await run<Pick<ModelAccount, 'posted' | 'held' | 'moves' | 'volume'>>(
        open.db,
        `select posted, held, moves, volume from ledger.accounts where owner = $1
         order by account_id`,
        [`run:${runs}`],
      );
      expect(balances).toEqual(model.accounts.map(counted));
    }),
    { numRuns: 60 },
  );
  expect((await verifyLedger(open.db)).broken).toEqual([]);
  // Runs that never meet a case would say nothing about it.
  for (const status of ['posted', 'duplicate', 'key-reused', 'insufficient-funds'] as const) {
    expect(seen.get(status), status).toBeGreaterThan(20);
  }
  for (const status of [
    'unknown-account',
    'closed-account',
    'frozen-account',
    'unbalanced',
    'held-underflow',
  ] as const) {
    expect(seen.get(status), status).toBeGreaterThan(0);
  }
});
