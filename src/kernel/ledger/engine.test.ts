import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { balanceOf, balancesOf, houseAccount, openAccount } from './accounts.ts';
import { createBalanceReader } from './balance-reader.ts';
import { createLedgerEngine, type LedgerEngine } from './engine.ts';
import { hold, type Leg, transfer } from './ledger.ts';
import { postWithin } from './post.ts';
import { verifyLedger } from './verify.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let open: OpenDatabase;
let engine: LedgerEngine;
let world: number;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  engine = createLedgerEngine({ connectionString: database.url });
  world = await openAccount(open.db, houseAccount('world', 'IDR'));
});

afterAll(async () => {
  const { broken } = await verifyLedger(open.db);
  await engine.close();
  await open.close();
  await database.close();
  expect(broken).toEqual([]);
});

async function wallet(units: bigint): Promise<number> {
  const name = { owner: `user:${randomUUID()}`, purpose: 'wallet', asset: 'IDR' } as const;
  const account = await openAccount(open.db, name);
  if (units > 0n) await engine.post(operation(transfer(world, account, units)));
  return account;
}

const operation = (legs: Leg[], key: string = randomUUID(), meta?: object) => ({
  key,
  kind: 'test',
  legs,
  ...(meta && { meta }),
});
const posted = async (account: number) => (await balanceOf(open.db, account)).posted;

test('everybody in a batch gets the answer to their own operation', async () => {
  const [a, b] = [await wallet(1000n), await wallet(0n)];
  const tries = Array.from({ length: 600 }, (_, i) =>
    engine.post(operation(transfer(a, b, i % 3 === 0 ? 5000n : 1n), `batch:${a}:${i % 500}`)),
  );
  const results = await Promise.allSettled(tries);
  const answers = results.map((result) =>
    result.status === 'fulfilled' ? result.value.status : result.reason.code,
  );
  const expected = Array.from({ length: 600 }, (_, i) => {
    // The 500th to 599th carry the keys of the first hundred, most of them for another amount.
    if (i < 500) return i % 3 === 0 ? 'INSUFFICIENT_BALANCE' : 'posted';
    if ((i - 500) % 3 === 0) return 'posted';
    return i % 3 === 0 ? undefined : 'duplicate';
  });
  expect(answers).toEqual(expected);
  expect(await posted(b)).toBe(BigInt(answers.filter((status) => status === 'posted').length));
});

test('an operation that the database cannot take fails alone', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const good = Array.from({ length: 20 }, () => operation(transfer(a, b, 1n)));
  // JSON can say NUL and jsonb cannot.
  const bad = operation(transfer(a, b, 1n), randomUUID(), { text: '\0' });
  const results = await Promise.allSettled([...good, bad, ...good].map((one) => engine.post(one)));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(results[20]).toMatchObject({ status: 'rejected', reason: { code: '22P05' } });
  expect(await posted(b)).toBe(20n);
});

test('a mistake in an operation reaches its caller and no batch', async () => {
  const a = await wallet(1n);
  await expect(engine.post(operation(hold(a, 1n), 'nul\0'))).rejects.toThrow(/operation key/);
  await expect(engine.post(operation(hold(a, 1n), 'meta', { cent: 1n }))).rejects.toThrow(
    TypeError,
  );
});

test('a cut connection loses nothing and posts nothing twice', async () => {
  const [a, b] = [await wallet(3000n), await wallet(0n)];
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'archipay-ledger'`;
  const tries: Promise<unknown>[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let i = 0; i < 600; i += 1) tries.push(engine.post(operation(transfer(a, b, 1n))));
    await Promise.any(tries.slice(-600));
    await run(open.db, cut, []);
  }
  await Promise.all(tries);
  expect([await posted(a), await posted(b)]).toEqual([0n, 3000n]);
});

test('a key that another transaction is just posting elsewhere is waited for', async () => {
  const [a, b, c] = [await wallet(10n), await wallet(0n), await wallet(10n)];
  const key = randomUUID();
  let mine: Promise<unknown> = Promise.resolve();
  let neighbour: Promise<unknown> = Promise.resolve();
  const waits = `select from pg_stat_activity where application_name = 'archipay-ledger'
    and datname = current_database() and wait_event_type = 'Lock'`;
  await open.db.transaction().execute(async (tx) => {
    await postWithin(tx, operation(transfer(a, b, 1n), key));
    mine = engine.post(operation(transfer(c, world, 1n), key));
    neighbour = engine.post(operation(transfer(c, world, 1n)));
    // The rejection is looked at below, after the commit that causes it.
    mine.catch(() => undefined);
    await expect.poll(() => run(open.db, waits, [])).toHaveLength(1);
  });
  await expect(mine).rejects.toThrow(/key-reused/);
  await expect(neighbour).resolves.toMatchObject({ status: 'posted' });
  expect(await posted(c)).toBe(9n);
});

test('an engine on the pool of the service works and gives its connection back', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const pooled = createLedgerEngine({ pool, prepared: false });
  const a = await wallet(1n);
  expect(await pooled.post(operation(transfer(a, world, 1n)))).toMatchObject({ status: 'posted' });
  await pooled.close();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('closing posts what was accepted and takes no more', async () => {
  const [a, b] = [await wallet(500n), await wallet(0n)];
  const closing = createLedgerEngine({ connectionString: database.url });
  const tries = Array.from({ length: 500 }, () => closing.post(operation(transfer(a, b, 1n))));
  await closing.close();
  await expect(closing.post(operation(transfer(a, b, 1n)))).rejects.toThrow(/closed/);
  await Promise.all(tries);
  expect(await posted(b)).toBe(500n);
});

test('more postings than can wait are refused instead of piling up', async () => {
  const tries = Array.from({ length: 20_001 }, () => engine.post(operation(hold(999_999_999, 1n))));
  const results = await Promise.allSettled(tries);
  expect(results.at(-1)).toMatchObject({ reason: { code: 'OVERLOADED' } });
  expect(
    results.slice(0, -1).every((one) => /unknown/.test(String(Reflect.get(one, 'reason')))),
  ).toBe(true);
});

const LEDGER_SESSIONS = `
  select pid from pg_stat_activity
  where datname = current_database() and application_name = 'archipay-ledger'`;

test('an engine waits for a database that is only about to lead, and posts then, once', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const readOnly = (on: boolean) =>
    run(open.db, `alter database ${name} set default_transaction_read_only = ${on}`, []);
  const a = await wallet(5n);
  await readOnly(true);
  const early = createLedgerEngine({ connectionString: database.url });
  const posting = early.post(operation(transfer(a, world, 1n)));
  // Its connections are made anew until one of them may write.
  const sessions = new Set<number>();
  const met = async () => {
    for (const { pid } of await run<{ pid: number }>(open.db, LEDGER_SESSIONS, []))
      sessions.add(pid);
    return sessions.size;
  };
  await expect.poll(met).toBeGreaterThan(3);
  await readOnly(false);
  await expect(posting).resolves.toMatchObject({ status: 'posted' });
  expect(await posted(a)).toBe(4n);
  await early.close();
});

test('an engine that cannot reach its database says so, to all who wait', async () => {
  const url = new URL(database.url);
  url.port = '1';
  const lost = createLedgerEngine({ connectionString: url.href, patienceMs: 300 });
  const tries = Array.from({ length: 600 }, () => lost.post(operation(hold(1, 1n))));
  const results = await Promise.allSettled(tries);
  expect(new Set(results.map((result) => Reflect.get(result, 'reason').code))).toEqual(
    new Set(['OVERLOADED']),
  );
  await lost.close();
});

test('balances asked for in one turn are read by one statement, each the right one', async () => {
  const accounts = await Promise.all([1n, 2n, 3n, 4n].map(wallet));
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
  expect(await read(accounts[0] ?? 0)).toEqual({ posted: 1n, held: 0n, available: 1n });
  await pool.end();
  await expect(Promise.all(accounts.map(read))).rejects.toThrow();
});
