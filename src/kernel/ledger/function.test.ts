import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { SCALE } from '../money/money.ts';

/** ledger.post and its tables, as somebody meets them who writes SQL and not our TypeScript. */
let database: Awaited<ReturnType<typeof testDatabase>>;
let client: pg.Client;
let world: number;
let user: number;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const opened = await client.query<{ account_id: number }>(`
    insert into ledger.accounts (owner, purpose, asset, min_available)
    values ('house', 'world', 'IDR', null), ('user:1', 'wallet', 'IDR', 0) returning account_id`);
  [world, user] = opened.rows.map(({ account_id }) => Number(account_id)) as [number, number];
});

afterAll(async () => {
  await client.end();
  await database.close();
});

interface Raw {
  key: string | null;
  kind?: string | null;
  legs: [number | null, string | null, string | null][];
}

const POST = 'select status, transfer_id from ledger.post($1, $2, $3, $4, $5, $6, $7, $8)';

function values(batch: Raw[]): unknown[] {
  const legs = batch.flatMap((one) => one.legs);
  const digest = '00000000-0000-0000-0000-000000000001';
  return [
    batch.map(({ key }) => key),
    batch.map(({ kind = 'raw' }) => kind),
    batch.map(() => digest),
    batch.map(() => null),
    batch.map((one) => one.legs.length),
    legs.map(([account]) => account),
    legs.map(([, amount]) => amount),
    legs.map(([, , held]) => held),
  ];
}

async function post(...batch: Raw[]): Promise<number[]> {
  const { rows } = await client.query<{ status: number[] }>(POST, values(batch));
  return rows[0]?.status ?? [];
}

const pay = (amount: string, key: string | null = randomUUID()): Raw => ({
  key,
  legs: [
    [world, `-${amount}`, '0'],
    [user, amount, '0'],
  ],
});
const leg = (amount: string | null, held: string | null): Raw => ({
  key: randomUUID(),
  legs: [[user, amount, held]],
});

test('each operation of a batch has its own answer, and a bad one harms no other', async () => {
  const poison: Raw[] = [
    { key: null, legs: pay('1').legs },
    { key: 'no-kind', kind: null, legs: pay('1').legs },
    { key: 'no-legs', legs: [] },
    { key: 'no-account', legs: [[null, '0', '1']] },
    leg(null, '0'),
    leg('0', null),
    leg('0.5', '0'),
    leg('0', '0.5'),
    leg('NaN', '0'),
    leg('Infinity', '0'),
    leg('0', 'NaN'),
    leg('1e38', '0'),
    leg('-1', '0'),
    leg('0', '-1'),
  ];
  const batch = poison.flatMap((one) => [one, pay('1')]);
  const expected = [9, 9, 9, 4, 8, 8, 8, 8, 8, 8, 8, 8, 6, 7].flatMap((status) => [status, 0]);
  expect(await post(...batch)).toEqual(expected);
  const { rows } = await client.query(
    'select posted, held from ledger.accounts where account_id = $1',
    [user],
  );
  expect(rows.map(({ posted, held }) => [Number(posted), Number(held)])).toEqual([[14, 0]]);
});

test('later operations of a batch see what the earlier ones did', async () => {
  const id = randomUUID();
  const drain: Raw = {
    key: randomUUID(),
    legs: [
      [user, '-14', '0'],
      [world, '14', '0'],
    ],
  };
  const twice = { ...drain, key: randomUUID() };
  expect(await post(drain, twice, pay('14', id), pay('14', id))).toEqual([0, 3, 0, 1]);
});

test('a key that was refused earlier in the batch may be tried again in it', async () => {
  const key = randomUUID();
  const broke: Raw = {
    key,
    legs: [
      [user, '-15', '0'],
      [world, '15', '0'],
    ],
  };
  expect(await post(broke, pay('1'), broke, broke)).toEqual([3, 0, 0, 1]);
  expect(await post(pay('14'))).toEqual([0]);
});

test('arrays that do not fit together are refused before anything is read', async () => {
  for (const [index, value] of [
    [4, [1]],
    [4, [-1, 3]],
    [4, null],
    [6, ['1']],
    [0, null],
  ] as const) {
    const broken = values([pay('1')]);
    broken[index] = value;
    await expect(client.query(POST, broken)).rejects.toMatchObject({ code: '22023' });
  }
});

const DIRECT = [
  `insert into ledger.transfers (transfer_id, operation_key, digest, kind)
     values (0, 'mine', '00000000-0000-0000-0000-000000000001', 'mine')`,
  'insert into ledger.entries values (1, 99, 0, 5, 0, 5, 0)',
  'update ledger.accounts set posted = posted + 1',
  'update ledger.accounts set held = 0',
  'update ledger.accounts set seq = 0',
  'update ledger.accounts set moves = 0',
  'update ledger.accounts set volume = 0',
  'update ledger.accounts set min_available = null',
  `update ledger.accounts set asset = 'USD'`,
  `insert into ledger.accounts (owner, purpose, asset, posted) values ('me', 'wallet', 'IDR', 5)`,
  'delete from ledger.accounts',
  'update ledger.entries set amount = 5',
  'delete from ledger.entries',
  'truncate ledger.entries',
  `update ledger.transfers set kind = 'other'`,
  'delete from ledger.transfers',
  'truncate ledger.transfers, ledger.accounts, ledger.entries',
];

test('not even the owner of the tables writes them, except through the function', async () => {
  for (const statement of DIRECT) {
    await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
});

test('a login that is not the owner may do nothing until it is granted', async () => {
  const { rows } = await client.query(`
    select bool_or(has_table_privilege('pg_monitor', c.oid, 'insert, update, delete')) as tables,
      bool_or(has_function_privilege('pg_monitor', p.oid, 'execute')) as post
    from pg_class c join pg_namespace n on n.oid = c.relnamespace, pg_proc p
    where n.nspname = 'ledger' and c.relkind in ('r', 'S') and p.pronamespace = n.oid
      and p.proname = 'post'`);
  expect(rows).toEqual([{ tables: false, post: false }]);
});

test('the function leaves nothing behind that would let the next statement write', async () => {
  await client.query('begin');
  await client.query(POST, values([pay('1')]));
  await expect(client.query(DIRECT[1] ?? '')).rejects.toMatchObject({ code: '42501' });
  await client.query('rollback');
});

test('entries that do not sum to zero are refused when they are written', async () => {
  await client.query('begin');
  // What a mistake inside the function would amount to.
  await client.query(`set local ledger.writer = 'post'`);
  const lopsided = `insert into ledger.entries values
    (${world}, 9001, 9, -5, 0, 0, 0), (${user}, 9001, 9, 6, 0, 6, 0)`;
  await expect(client.query(lopsided)).rejects.toMatchObject({ code: '23514' });
  await client.query('rollback');
});

test('an overdraft is refused by the table itself, for every writer', async () => {
  await client.query('begin');
  await client.query(`set local ledger.writer = 'post'`);
  const overdraw = client.query('update ledger.accounts set posted = -1 where account_id = $1', [
    user,
  ]);
  await expect(overdraw).rejects.toMatchObject({ constraint: 'accounts_no_overdraft' });
  await client.query('rollback');
});

test('the assets of the database are those of the code', async () => {
  const { rows } = await client.query<{ asset: string; scale: number }>(
    'select asset, scale from ledger.assets',
  );
  expect(Object.fromEntries(rows.map(({ asset, scale }) => [asset, scale]))).toEqual(SCALE);
});

test('a batch reads no table from end to end, however many accounts there are', async () => {
  await client.query(`insert into ledger.accounts (owner, purpose, asset, min_available)
    select 'many:' || n, 'wallet', 'IDR', null from generate_series(1, 20000) n`);
  const ids = await client.query<{ account_id: string }>(
    `select account_id from ledger.accounts where owner like 'many:%' limit 512`,
  );
  const accounts = ids.rows.map(({ account_id }) => Number(account_id));
  const batch = Array.from(
    { length: 256 },
    (_, i): Raw => ({
      key: randomUUID(),
      legs: [
        [accounts[2 * i] ?? 0, '-1', '0'],
        [accounts[2 * i + 1] ?? 0, '1', '0'],
      ],
    }),
  );
  const scans = async () => {
    const { rows } = await client.query<{ scans: number }>(
      `select sum(seq_scan)::int as scans from pg_stat_xact_user_tables
       where schemaname = 'ledger' and relname <> 'assets'`,
    );
    return rows[0]?.scans ?? 0;
  };
  for (const analyzed of [false, true]) {
    if (analyzed) await client.query('analyze ledger.accounts, ledger.transfers, ledger.entries');
    await client.query('begin');
    const before = await scans();
    expect(new Set(await post(...batch.map((one) => ({ ...one, key: randomUUID() }))))).toEqual(
      new Set([0]),
    );
    expect(await scans()).toBe(before);
    // The counter counts: this reads the table.
    await client.query('select sum(posted) from ledger.accounts');
    expect(await scans()).toBe(before + 1);
    await client.query('commit');
  }
});

test('a large batch costs an operation no more than a small one, on tables that nobody has analysed', async () => {
  const fresh = await testDatabase();
  const own = new pg.Client({ connectionString: fresh.url });
  await own.connect();
  const { rows } = await own.query<{ account_id: string }>(`
    insert into ledger.accounts (owner, purpose, asset, min_available)
    select 'user:' || n, 'wallet', 'IDR', null from generate_series(1, 1000) n returning account_id`);
  const accounts = rows.map(({ account_id }) => Number(account_id));
  const batchOf = (size: number): Raw[] =>
    Array.from({ length: size }, (_, i) => ({
      key: randomUUID(),
      legs: [
        [accounts[2 * i] ?? 0, '-1', '0'],
        [accounts[2 * i + 1] ?? 0, '1', '0'],
      ],
    }));
  const looked = async () => {
    const { rows: counted } = await own.query<{ looked: number }>(
      `select sum(seq_tup_read + idx_tup_fetch)::int as looked from pg_stat_xact_user_tables
       where schemaname = 'ledger' and relname <> 'assets'`,
    );
    return counted[0]?.looked ?? 0;
  };
  const costs: number[] = [];
  await own.query('begin');
  // The first makes the plans, of empty tables.
  for (const size of [1, 50, 400]) {
    const before = await looked();
    await own.query(POST, values(batchOf(size)));
    costs.push(((await looked()) - before) / size);
  }
  await own.query('commit');
  expect(costs).toEqual([6, 6, 6]);
  await own.end();
  await fresh.close();
});
