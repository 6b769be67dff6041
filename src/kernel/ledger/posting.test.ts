import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { cutSessions, type Payment, payments } from '#test/ledger/payments.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { toAppError } from '../http/declare/faults.ts';
import { balanceOf, houseAccount, openAccount } from './accounts.ts';
import { hold, type Leg, transfer } from './ledger.ts';
import { postWithin } from './post.ts';
import { verifyLedger } from './verify.ts';

let database: TestDatabase;
let open: OpenDatabase;
let book: Awaited<ReturnType<typeof payments>>;
let world: number;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  book = await payments(open.db);
  world = await openAccount(open.db, houseAccount('world', 'IDR'));
});

afterAll(async () => {
  const { broken } = await verifyLedger(open.db);
  await open.close();
  await database.close();
  expect(broken).toEqual([]);
});

async function wallet(units: bigint): Promise<number> {
  const name = { owner: `user:${randomUUID()}`, purpose: 'wallet', asset: 'IDR' } as const;
  const account = await openAccount(open.db, name);
  if (units > 0n) await postWithin(open.db, operation(transfer(world, account, units)));
  return account;
}

const operation = (legs: Leg[], key: string = randomUUID(), meta?: object) => ({
  key,
  kind: 'test',
  legs,
  ...(meta && { meta }),
});
const post = (legs: Leg[], key?: string, meta?: object) => {
  const one = operation(legs, key, meta);
  return book({ reference: one.key }, one);
};
const posted = async (account: number) => (await balanceOf(open.db, account)).posted;
const rowsOf = (like: string) =>
  run<Payment>(open.db, 'select reference from test_payments where reference like $1', [like]);
const codeOf = (error: unknown) => toAppError(error, undefined).code;

test('each caller of a batch gets the answer to their own, and a row exists where money moved', async () => {
  const [a, b] = [await wallet(1000n), await wallet(0n)];
  const tries = Array.from({ length: 300 }, (_, i) =>
    post(transfer(a, b, i % 3 === 0 ? 5000n : 1n), `batch:${a}:${i % 250}`),
  );
  const results = await Promise.allSettled(tries);
  const answers = results.map((result) =>
    result.status === 'fulfilled' ? result.value?.posted?.status : result.reason.code,
  );
  const expected = Array.from({ length: 300 }, (_, i) => {
    // The last fifty carry the keys of the first fifty, and find the rows of those that were booked.
    if (i < 250) return i % 3 === 0 ? 'INSUFFICIENT_BALANCE' : 'posted';
    if ((i - 250) % 3 !== 0) return undefined;
    return i % 3 === 0 ? 'INSUFFICIENT_BALANCE' : 'posted';
  });
  expect(answers).toEqual(expected);
  const moved = answers.filter((status) => status === 'posted').length;
  expect(await posted(b)).toBe(BigInt(moved));
  expect(await rowsOf(`batch:${a}:%`)).toHaveLength(moved);
});

test('what comes together is one transaction', async () => {
  const [a, b] = [await wallet(50n), await wallet(0n)];
  const booked = await Promise.all(
    Array.from({ length: 50 }, (_, i) => post(transfer(a, b, 1n), `one:${a}:${i}`)),
  );
  expect(booked.map((one) => one?.row.reference)).toEqual(
    Array.from({ length: 50 }, (_, i) => `one:${a}:${i}`),
  );
  const text = `select count(distinct t.xmin::text) + count(distinct p.xmin::text) as transactions
    from ledger.transfers t join test_payments p on p.reference = t.operation_key and p.xmin = t.xmin
    where p.reference like $1`;
  expect(await run(open.db, text, [`one:${a}:%`])).toEqual([{ transactions: 2 }]);
});

test('one that the database cannot take fails alone', async () => {
  const [a, b] = [await wallet(100n), await wallet(0n)];
  const good = () => Array.from({ length: 20 }, () => post(transfer(a, b, 1n)));
  // JSON can say NUL and jsonb cannot.
  const bad = () => [post(transfer(a, b, 1n), randomUUID(), { text: '\0' })];
  const results = await Promise.allSettled([good(), bad(), good()].flat());
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(results[20]).toMatchObject({ status: 'rejected', reason: { code: '22P05' } });
  expect(await posted(b)).toBe(40n);
});

test('a mistake in an operation reaches its caller and no batch', async () => {
  const a = await wallet(1n);
  await expect(post(hold(a, 1n), 'nul\0')).rejects.toThrow(/operation key/);
  await expect(post(hold(a, 1n), 'meta', { cent: 1n })).rejects.toThrow(TypeError);
  expect(await rowsOf('meta')).toEqual([]);
});

test('a key that was posted under another row answers duplicate', async () => {
  const [a, b] = [await wallet(10n), await wallet(0n)];
  const one = operation(transfer(a, b, 10n));
  const first = await book({ reference: randomUUID() }, one);
  const again = await book({ reference: randomUUID() }, one);
  expect(again?.posted).toEqual({ status: 'duplicate', transfer_id: first?.posted?.transfer_id });
  expect(await posted(b)).toBe(10n);
});

test('a key that another transaction is just posting elsewhere is waited for', async () => {
  const [a, b, c] = [await wallet(10n), await wallet(0n), await wallet(10n)];
  const key = randomUUID();
  let both: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([]);
  const waits = `select from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock'`;
  await open.db.transaction().execute(async (tx) => {
    await postWithin(tx, operation(transfer(a, b, 1n), key));
    both = Promise.allSettled([post(transfer(c, world, 1n), key), post(transfer(c, world, 1n))]);
    await expect.poll(() => run(open.db, waits, [])).toHaveLength(1);
  });
  expect(await both).toMatchObject([
    { reason: { message: expect.stringMatching(/key-reused/) } },
    { value: { posted: { status: 'posted' } } },
  ]);
  expect(await posted(c)).toBe(9n);
  expect(await rowsOf(key)).toEqual([]);
});

test('connections that are cut lose nothing that was answered, and nothing is booked twice', async () => {
  const [a, b] = [await wallet(1500n), await wallet(0n)];
  const untilBooked = async (key: string): Promise<void> => {
    for (;;) {
      try {
        await post(transfer(a, b, 1n), key);
        return;
      } catch (error) {
        expect(codeOf(error)).toBe('OVERLOADED');
      }
    }
  };
  const tries: Promise<void>[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let i = 0; i < 300; i += 1) tries.push(untilBooked(`cut:${a}:${tries.length}`));
    await Promise.any(tries.slice(-300));
    await cutSessions(database.url);
  }
  await Promise.all(tries);
  expect([await posted(a), await posted(b)]).toEqual([0n, 1500n]);
  expect(await rowsOf(`cut:${a}:%`)).toHaveLength(1500);
});

test('on a pool of one connection it works and gives it back', async () => {
  const lone = openDatabase(database.url, { max: 1, prepared: false });
  const bookThere = await payments(lone.db);
  const a = await wallet(2n);
  const two = [1, 2].map(() => {
    const one = operation(transfer(a, world, 1n));
    return bookThere({ reference: one.key }, one);
  });
  for (const booked of await Promise.all(two)) expect(booked?.posted?.status).toBe('posted');
  expect(await run(lone.db, 'select 1 as one', [])).toEqual([{ one: 1 }]);
  await lone.close();
});

test('a database that only follows, or is about to lead, is away until it leads', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const readOnly = (on: boolean) =>
    run(open.db, `alter database ${name} set default_transaction_read_only = ${on}`, []);
  const [a, key] = [await wallet(5n), randomUUID()];
  await readOnly(true);
  const early = openDatabase(database.url);
  const bookThere = await payments(early.db, { made: true });
  const one = operation(transfer(a, world, 1n), key);
  const refused = await Promise.allSettled([1, 2].map(() => bookThere({ reference: key }, one)));
  expect(refused.map((end) => codeOf(Reflect.get(end, 'reason')))).toEqual(
    Array(2).fill('OVERLOADED'),
  );
  await readOnly(false);
  await cutSessions(database.url);
  await expect
    .poll(() => bookThere({ reference: key }, one).catch(() => undefined))
    .toMatchObject({ posted: { status: 'posted' } });
  await expect.poll(() => posted(a).catch(() => undefined)).toBe(4n);
  await early.close();
});

test('without its database all who wait get that error at once', async () => {
  const url = new URL(database.url);
  url.port = '1';
  const lost = openDatabase(url.href);
  const bookThere = await payments(lost.db, { made: true });
  const tries = Array.from({ length: 600 }, () => {
    const one = operation(hold(1, 1n));
    return bookThere({ reference: one.key }, one);
  });
  const results = await Promise.allSettled(tries);
  const codes = results.map((result) => codeOf(Reflect.get(result, 'reason')));
  expect(new Set(codes)).toEqual(new Set(['OVERLOADED']));
  await lost.close();
});

test('when the pool is closed, what was answered is booked and the rest is refused', async () => {
  const [a, b] = [await wallet(500n), await wallet(0n)];
  const closing = openDatabase(database.url);
  const bookThere = await payments(closing.db, { made: true });
  const tries = Array.from({ length: 500 }, (_, i) => {
    const one = operation(transfer(a, b, 1n), `closing:${a}:${i}`);
    return bookThere({ reference: one.key }, one);
  });
  await tries[0];
  const ended = Promise.allSettled(tries);
  await closing.close();
  const done = (await ended).filter(({ status }) => status === 'fulfilled').length;
  expect(await posted(b)).toBe(BigInt(done));
  expect(await rowsOf(`closing:${a}:%`)).toHaveLength(done);
});

test('more than can wait are refused instead of piling up', async () => {
  const [a, b] = [await wallet(5000n), await wallet(0n)];
  const results = await Promise.allSettled(
    Array.from({ length: 5001 }, () => post(transfer(a, b, 1n))),
  );
  expect(results.at(-1)).toMatchObject({ reason: { code: 'OVERLOADED' } });
  expect(await posted(b)).toBe(5000n);
});
