import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { type OpenDatabase, openDatabase, run } from '../db/db.ts';
import { balanceOf, houseAccount, openAccount } from './accounts.ts';
import { transfer } from './ledger.ts';
import { postWithin } from './post.ts';
import { type StatementRow, statementOf } from './statement.ts';
import { verifyLedger } from './verify.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let open: OpenDatabase;
let world: number;
let wallet: number;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url);
  world = await openAccount(open.db, houseAccount('world', 'IDR'));
  wallet = await openAccount(open.db, { owner: 'user:1', purpose: 'wallet', asset: 'IDR' });
  for (let i = 1; i <= 25; i += 1) {
    const legs = i % 5 === 0 ? transfer(wallet, world, 3n) : transfer(world, wallet, BigInt(i));
    await postWithin(open.db, { key: `statement:${i}`, kind: 'test', legs, meta: { i } });
  }
});

afterAll(async () => {
  await open.close();
  await database.close();
});

test('an account is opened once, however many ask for it at once', async () => {
  const name = { owner: 'user:2', purpose: 'wallet', asset: 'IDR' } as const;
  const ids = await Promise.all(Array.from({ length: 15 }, () => openAccount(open.db, name)));
  expect(new Set(ids).size).toBe(1);
  expect(await balanceOf(open.db, ids[0] ?? 0)).toEqual({
    posted: 0n,
    held: 0n,
    available: 0n,
    is_frozen: false,
  });
});

test('the rule about overdraft is the one an account was opened with', async () => {
  const name = { owner: 'user:1', purpose: 'wallet', asset: 'IDR', mayGoNegative: true } as const;
  await expect(openAccount(open.db, name)).rejects.toThrow(/another rule/);
});

test('there is no account in an asset that does not exist', async () => {
  const name = { owner: 'user:3', purpose: 'wallet', asset: 'XXX' as 'IDR' };
  await expect(openAccount(open.db, name)).rejects.toMatchObject({ code: '23503' });
  await expect(balanceOf(open.db, 999_999_999)).rejects.toThrow(/No account/);
});

test('the pages of a statement hold every entry once, newest first, with balances', async () => {
  const rows: StatementRow[] = [];
  for (;;) {
    const before = rows.at(-1)?.seq;
    const page = await statementOf(open.db, wallet, { ...(before && { before }), limit: 10 });
    rows.push(...page);
    if (page.length < 10) break;
    // New entries do not disturb the pages that follow.
    const legs = transfer(world, wallet, 1n);
    await postWithin(open.db, { key: `later:${before}`, kind: 'later', legs });
  }
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i));
  expect(rows[0]).toMatchObject({
    key: 'statement:25',
    kind: 'test',
    meta: { i: 25 },
    amount: -3n,
    held_delta: 0n,
    held_after: 0n,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  for (const [i, row] of rows.entries()) {
    expect(row.posted_after - row.amount).toBe(rows[i + 1]?.posted_after ?? 0n);
  }
});

const TAMPERED = [
  ['update ledger.entries set amount = amount + 1 where account_id = $1 and seq = 3', 4],
  [
    'update ledger.entries set posted_after = posted_after + 1 where account_id = $1 and seq = 3',
    1,
  ],
  ['update ledger.accounts set posted = posted + 1 where account_id = $1', 2],
  ['update ledger.accounts set held = 1 where account_id = $1', 2],
  ['update ledger.accounts set seq = seq + 1 where account_id = $1', 1],
  ['update ledger.accounts set moves = moves + 1 where account_id = $1', 1],
  ['update ledger.accounts set volume = volume - 1 where account_id = $1', 1],
  ['update ledger.accounts set to_convert = 2 where account_id = $1', 1],
  ['update ledger.entries set seq = 1000 where account_id = $1 and seq = 3', 2],
  ['delete from ledger.entries where account_id = $1 and seq = 1', 5],
  ['update ledger.entries set transfer_id = 0 where account_id = $1 and seq = 3', 2],
  ["insert into ledger.transfers select 0, $1::text, gen_random_uuid(), 'x'", 1],
] as const;

test('every change behind the back of the function is reported by verification', async () => {
  expect((await verifyLedger(open.db)).broken).toEqual([]);
  for (const [statement, rules] of TAMPERED) {
    const check = open.db.transaction().execute(async (tx) => {
      for (const table of ['accounts', 'entries', 'transfers']) {
        await run(tx, `alter table ledger.${table} disable trigger user`, []);
      }
      await run(tx, statement, [wallet]);
      const { broken } = await verifyLedger(tx);
      throw Object.assign(new Error('undo'), { broken });
    });
    const { broken } = await check.catch((error) => error);
    expect(broken, statement).toHaveLength(rules);
    expect(broken[0].breaks.join(), statement).toMatch(/\d/);
  }
  expect((await verifyLedger(open.db)).broken).toEqual([]);
});
