import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type TestCluster, testCluster } from '#test/cluster.ts';
import { testDatabase } from '#test/database.ts';
import type { Load, LoadResult } from '#test/ledger/load.ts';
import { payments } from '#test/ledger/payments.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { houseAccount, openAccount } from './accounts.ts';
import { transfer } from './ledger.ts';
import { postWithin } from './post.ts';
import { verifyLedger } from './verify.ts';

/** Longer runs by hand: `LEDGER_TEST_FACTOR=20 npx vitest run src/kernel/ledger/processes`. */
const { LEDGER_TEST_FACTOR = '1' } = process.env;
const FACTOR = Number(LEDGER_TEST_FACTOR);
const LOAD = fileURLToPath(new URL('../../../test/ledger/load.ts', import.meta.url));
const ACCOUNTS = 40;
const START = 500n;

interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
}

function start(load: Load): Child {
  const child = spawn(process.execPath, [LOAD, JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { process: child, lines, ended: once(child, 'close') };
}

async function finish(child: Child): Promise<LoadResult> {
  await child.ended;
  return JSON.parse(child.lines.at(-1) ?? '') as LoadResult;
}

/** Accounts with money on them, of owners who may not overdraw. */
async function fund({ db }: OpenDatabase, count: number): Promise<number[]> {
  const world = await openAccount(db, houseAccount('world', 'IDR'));
  await payments(db);
  const accounts: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const owner = `user:${i}`;
    const account = await openAccount(db, { owner, purpose: 'wallet', asset: 'IDR' });
    await postWithin(db, { key: owner, kind: 'fund', legs: transfer(world, account, START) });
    accounts.push(account);
  }
  return accounts;
}

test('processes posting the same keys at once, in batches and transactions, agree', async () => {
  const database = await testDatabase();
  const open = openDatabase(database.url);
  const accounts = await fund(open, ACCOUNTS);
  const operations = 1000 * FACTOR;
  const seed = Math.floor(performance.timeOrigin % 1000);
  const children = [1, 2, 3].map((n) =>
    start({ url: database.url, seed: seed + n, operations, accounts, keys: operations }),
  );
  const results = await Promise.all(children.map(finish));
  const sum = (what: 'posted' | 'duplicates' | 'refused' | 'reused') =>
    results.reduce((total, result) => total + result[what], 0);

  expect(
    results.flatMap(({ errors }) => errors),
    `seed ${seed}`,
  ).toEqual([]);
  for (const what of ['posted', 'duplicates', 'refused', 'reused'] as const) {
    expect(sum(what), what).toBeGreaterThan(0);
  }
  const { broken, transfers } = await verifyLedger(open.db);
  expect(broken).toEqual([]);
  // Each key was posted to exactly one of those who tried it.
  expect(transfers).toBe(sum('posted') + ACCOUNTS);
  const [total] = await run<{ total: bigint }>(
    open.db,
    'select sum(posted)::numeric as total from ledger.accounts where min_available is not null',
    [],
  );
  expect(total?.total).toBe(START * BigInt(ACCOUNTS));
  const [deadlocks] = await run<{ deadlocks: number }>(
    open.db,
    'select deadlocks from pg_stat_database where datname = current_database()',
    [],
  );
  expect(deadlocks?.deadlocks).toBe(0);
  await open.close();
  await database.close();
});

test('a database that dies under load has every posting that was acknowledged', async () => {
  const cluster = await testCluster({ durable: true });
  const children: Child[] = [];
  try {
    const first = openDatabase(cluster.url());
    const accounts = await fund(first, ACCOUNTS);
    await first.close();
    const acknowledged: string[] = [];
    for (let round = 1; round <= FACTOR; round += 1) {
      const load = { url: cluster.url(), operations: 10_000_000, accounts, printKeys: true };
      const now = [1, 2].map((n) => start({ ...load, seed: round * 10 + n }));
      children.push(...now);
      // Across a crash and a restart: they find the server again and go on.
      await grown(now, 150 * FACTOR);
      await crash(cluster);
      await cluster.restart();
      await grown(now, 150 * FACTOR);
      await crash(cluster);
      for (const { process } of now) process.kill('SIGKILL');
      await Promise.all(now.map(({ ended }) => ended));
      await cluster.restart();
      // The last line may have been cut in the middle.
      acknowledged.push(...now.flatMap(({ lines }) => lines.slice(0, -1)));
    }
    await expectAll(cluster, acknowledged);
  } finally {
    for (const { process } of children) process.kill('SIGKILL');
    await cluster.close();
  }
});

/** Answers when nothing listens any more, so that a restart does not meet the dying server. */
async function crash(cluster: TestCluster): Promise<void> {
  await cluster.crash();
  const refused = async () => {
    const client = new pg.Client({ connectionString: cluster.url() });
    const error: unknown = await client.connect().catch((reason: unknown) => reason);
    await client.end().catch(() => undefined);
    return Reflect.get(Object(error), 'code');
  };
  await expect.poll(refused, { interval: 20 }).toBe('ECONNREFUSED');
}

async function grown(children: readonly Child[], by: number): Promise<void> {
  const targets = children.map(({ lines }) => lines.length + by);
  const ready = () => children.every(({ lines }, i) => lines.length >= (targets[i] ?? 0));
  await expect.poll(ready, { interval: 20 }).toBe(true);
}

async function expectAll(cluster: TestCluster, keys: string[]): Promise<void> {
  const open = openDatabase(cluster.url());
  const missing = await run(
    open.db,
    `select k from unnest($1::text[]) k
     where not exists (select from ledger.transfers where operation_key = k)`,
    [keys],
  );
  expect(missing).toEqual([]);
  expect((await verifyLedger(open.db)).broken).toEqual([]);
  await open.close();
}

/** Reads a balance, thinks, writes what it thought: what the ledger is there to prevent. */
async function naive(url: string, from: number, to: number, meanwhile: () => Promise<void>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`set local ledger.writer = 'post'`);
    const read = 'select posted, seq from ledger.accounts where account_id = $1';
    const before = await Promise.all([from, to].map((id) => client.query(read, [id])));
    await meanwhile();
    for (const [i, account] of [from, to].entries()) {
      const { posted, seq } = before[i]?.rows[0] ?? {};
      const amount = i === 0 ? -10n : 10n;
      const after = [account, BigInt(posted) + amount, BigInt(seq) + 1n].map(String);
      const write = 'update ledger.accounts set posted = $2, seq = $3 where account_id = $1';
      await client.query(write, after);
    }
    const rows = [from, to].map((account, i) => {
      const { posted, seq } = before[i]?.rows[0] ?? {};
      const amount = i === 0 ? -10n : 10n;
      const after = BigInt(posted) + amount;
      return `(${account}, ${BigInt(seq) + 1n}, -${from}, ${amount}, 0, ${after}, 0)`;
    });
    await client.query(`insert into ledger.entries values ${rows.join()}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

test('a writer without locks loses money, and only the key of the entries stops it', async () => {
  const database = await testDatabase();
  const open = openDatabase(database.url);
  const [a = 0, b = 0, c = 0] = await fund(open, 3);
  const race = () =>
    naive(database.url, a, b, () => naive(database.url, a, c, () => Promise.resolve()));
  await expect(race()).rejects.toMatchObject({ constraint: 'entries_once' });

  await run(open.db, 'alter table ledger.entries drop constraint entries_once', []);
  await race();
  const { broken } = await verifyLedger(open.db);
  expect(broken.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining([
      'every account is the sum of its entries',
      'the entries of an account are numbered without a gap',
      'every entry continues the balance of the one before',
      'all accounts of an asset sum to zero',
    ]),
  );
  await open.close();
  await database.close();
});
