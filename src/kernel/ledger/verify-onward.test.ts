import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { houseAccount, openAccount } from './accounts.ts';
import { transfer } from './ledger.ts';
import { postWithin } from './post.ts';
import type { Broken } from './verify.ts';
import { type Onward, verificationProgress, verifyOnward, verifyWhole } from './verify-onward.ts';

let database: TestDatabase;
let open: OpenDatabase;
let world: number;
let wallet: number;
const AT = new Date('2026-11-22T12:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  world = await openAccount(open.db, houseAccount('world', 'IDR'));
  const owner = `user:${randomUUID()}`;
  wallet = await openAccount(open.db, { owner, purpose: 'wallet', asset: 'IDR' });
});

afterAll(async () => {
  await open.close();
  await database.close();
});

async function pay(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1)
    await postWithin(open.db, {
      key: randomUUID(),
      kind: 'test',
      legs: transfer(world, wallet, 7n),
    });
}

/** Verifies all there is. An older transaction of anybody on the server, even elsewhere, is waited for. */
async function verifyAll(): Promise<Onward> {
  let transfers = 0;
  const broken: Broken[] = [];
  const left = async () => {
    const found = await verifyOnward(open.db, AT, []);
    transfers += found.transfers;
    broken.push(...found.broken);
    const text = `select from ledger.verification
      where upto < (select max(transfer_id) from ledger.transfers)`;
    return run(open.db, text, []);
  };
  await expect.poll(left).toEqual([]);
  return { transfers, broken };
}

/** As somebody could who owns the tables and turns their triggers off. */
async function tamper(statement: string, values: readonly unknown[]): Promise<void> {
  const all = (how: string) =>
    Promise.all(
      ['accounts', 'entries', 'transfers'].map((table) =>
        run(open.db, `alter table ledger.${table} ${how} trigger user`, []),
      ),
    );
  await all('disable');
  await run(open.db, statement, values);
  await all('enable');
}

test('what was posted is verified once, and the next run begins where that one ended', async () => {
  await pay(3);
  expect(await verifyAll()).toEqual({ transfers: 3, broken: [] });
  expect(await verifyAll()).toEqual({ transfers: 0, broken: [] });
  await pay(2);
  expect(await verifyAll()).toEqual({ transfers: 2, broken: [] });
  expect(await verificationProgress(open.db)).toMatchObject({
    verified_at: AT.toISOString(),
    whole_at: null,
    broken: [],
  });
});

test('what was found broken is forgotten once a pass over everything finds nothing', async () => {
  const found = JSON.stringify([{ rule: 'one', breaks: ['something'] }]);
  await run(open.db, 'update ledger.verification set broken = $1::jsonb', [found]);
  expect((await verifyAll()).broken).toEqual([]);
  expect((await verificationProgress(open.db)).broken).toHaveLength(1);
  expect((await verifyWhole(open.db, AT, [])).broken).toEqual([]);
  const whole_at = AT.toISOString();
  expect(await verificationProgress(open.db)).toMatchObject({ whole_at, broken: [] });
});

test('a transfer that is still open when a later one is there is waited for, and then verified', async () => {
  const late = await open.pool.connect();
  try {
    await late.query('begin');
    const { rows } = await late.query(
      `select nextval('ledger.transfer_ids') as id, pg_current_xact_id()`,
    );
    await pay(1);
    expect((await verifyOnward(open.db, AT, [])).transfers).toBe(0);
    await late.query(`set local ledger.writer = 'post'`);
    await late.query(
      `insert into ledger.transfers (transfer_id, operation_key, digest, kind) values ($1, 'late', gen_random_uuid(), 'x')`,
      [rows[0].id],
    );
    await late.query('commit');
  } finally {
    late.release();
  }
  const { transfers, broken } = await verifyAll();
  expect(transfers).toBe(2);
  expect(broken).toMatchObject([{ rule: expect.stringContaining('every transfer its entries') }]);
});

test.each([
  ['an entry', 'update ledger.entries set amount = amount + 1 where account_id = $1 and seq = $2'],
  ['a balance', 'update ledger.entries set posted_after = 1 where account_id = $1 and seq = $2'],
  ['an account', 'update ledger.accounts set posted = posted + $2 where account_id = $1'],
  ['a count', 'update ledger.accounts set moves = moves + $2 where account_id = $1'],
  ['a gap', 'delete from ledger.entries where account_id = $1 and seq = $2'],
])('%s that was changed since the last run is found, and remembered', async (_what, statement) => {
  await run(open.db, `update ledger.verification set broken = '[]'`, []);
  await pay(2);
  const [account] = await run<{ seq: number }>(
    open.db,
    'select seq from ledger.accounts where account_id = $1',
    [wallet],
  );
  await tamper(statement, [wallet, account?.seq ?? 0]);
  const { broken } = await verifyAll();
  expect(broken.length).toBeGreaterThan(0);
  expect((await verifyAll()).broken).toEqual([]);
  expect((await verificationProgress(open.db)).broken).toEqual(broken);
  const whole = await verifyWhole(open.db, AT, []);
  expect(whole.broken.length).toBeGreaterThan(0);
  expect(await verificationProgress(open.db)).toMatchObject({
    whole_at: AT.toISOString(),
    broken: whole.broken,
  });
});

const last = async () => {
  const [row] = await run<{ transfer_id: number }>(
    open.db,
    'select max(transfer_id) as transfer_id from ledger.transfers',
    [],
  );
  return row?.transfer_id ?? 0;
};

test.each([
  [
    'entries whose transfer is gone',
    'delete from ledger.transfers where transfer_id = $1',
    'every entry has its account',
  ],
  [
    'assets that make up for each other',
    `update ledger.entries e set amount = amount + case a.asset when 'USD' then -1 else 1 end
     from ledger.accounts a where a.account_id = e.account_id and e.transfer_id = $1 and e.amount > 0`,
    'every transfer sums to zero in each asset',
  ],
  [
    'entries that were given to another transfer, with every account as it should be,',
    `update ledger.entries set transfer_id = (select max(transfer_id) from ledger.transfers where transfer_id < $1)
     where transfer_id = $1 and amount > 0`,
    'every transfer sums to zero in each asset',
  ],
  [
    'entries whose account is gone',
    `delete from ledger.accounts where account_id = (
       select max(account_id) from ledger.entries where transfer_id = $1)`,
    'every entry has its account',
  ],
])('%s are found by both passes, and named', async (_what, statement, rule) => {
  const dollars = await openAccount(open.db, houseAccount('dollars', 'USD'));
  const abroad = await openAccount(open.db, houseAccount('abroad', 'USD'));
  await verifyWhole(open.db, AT, []);
  await postWithin(open.db, {
    key: randomUUID(),
    kind: 'test',
    legs: [...transfer(world, wallet, 7n), ...transfer(dollars, abroad, 7n)],
  });
  const transfer_id = await last();
  await tamper(statement, [transfer_id]);
  await pay(1);
  const found = expect.objectContaining({ rule: expect.stringContaining(rule) });
  expect((await verifyWhole(open.db, AT, [])).broken).toContainEqual(found);
  expect((await verifyAll()).broken).toContainEqual(found);
});
