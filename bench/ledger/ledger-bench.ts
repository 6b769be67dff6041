import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import {
  type Bursts,
  compare,
  createMeter,
  interleave,
  type Size,
  type Variant,
} from '../meter.ts';
import type { Place } from '../place.ts';
import { atLeast, atMost, type BenchRow, told } from '../row.ts';
import { bookedTransfer, PAYMENT_SCHEMA } from './payments.ts';
import { oneCall, ormTransaction, type Pay, plainTransaction, RIVAL_SCHEMA } from './rivals.ts';

export const ACCOUNTS = 10_000;
export const FUNDS = 1_000_000_000n;
const IN_FLIGHT = 64;
const BATCH = 64;
const FUNDED_AT_ONCE = 250;

/** The rows and the postings of a batch as pgbench would write them, made by the server itself. */
const LOOP_ROWS = `insert into bench.payments (reference, payer, payee, amount, status, created_at)
  select gen_random_uuid(), $1::bigint + n, $1::bigint + n + 1, 1, 'DONE', at
    from generate_series(1, ${BATCH}) n, (select service_now() as at) as at returning *`;
const LOOP_POSTINGS = `select status from ledger.post(
  array(select gen_random_uuid()::text from generate_series(1, ${BATCH})),
  array_fill('bench'::text, array[${BATCH}]), array_fill(gen_random_uuid(), array[${BATCH}]),
  array_fill(null::jsonb, array[${BATCH}]), array_fill(2, array[${BATCH}]),
  array(select $1::bigint + (random() * ${ACCOUNTS - 1})::int
    from generate_series(1, ${2 * BATCH})),
  array(select unnest(array[-1, 1]) from generate_series(1, ${BATCH}))::numeric[],
  array_fill(0::numeric, array[${2 * BATCH}]))`;

/**
 * A row and its posting, booked as the features of the service do it, against rivals that store the
 * same; durable. Takes one to two minutes.
 */
export async function runLedgerBench({ url }: Place, size: Size): Promise<BenchRow[]> {
  const { db, pool, close } = openDatabase(url, { max: IN_FLIGHT });
  // The rivals get the driver's plain pool: naming statements for them is not their idea.
  const rivals = new pg.Pool({ connectionString: url, max: IN_FLIGHT });
  const careless = new URL(url);
  careless.searchParams.set('options', '-c synchronous_commit=off');
  const off = openDatabase(careless.href, { max: IN_FLIGHT });
  try {
    const first = await fund(db);
    await pool.query(PAYMENT_SCHEMA);
    await pool.query(RIVAL_SCHEMA);
    await pool.query(
      'insert into rival.account (id, balance) select n, $1 from generate_series($2::int, $3) n',
      [FUNDS, first, first + ACCOUNTS - 1],
    );
    await pool.query('vacuum analyze');

    const meter = await createMeter(pool);
    const [orm, plain, call] = [ormTransaction(rivals), plainTransaction(rivals), oneCall(rivals)];
    const variants = [
      ...payments('booked', booking(db), first),
      ...payments('orm', orm, first),
      ...payments('plain', plain, first),
      uniform('call', IN_FLIGHT, call, first),
      uniform('call-16', 16, call, first),
      uniform('off', IN_FLIGHT, booking(off.db), first),
      { name: 'loop', inFlight: 1, once: () => batch(pool, first) },
      uniform('booked-lone', 1, booking(db), first),
      uniform('plain-lone', 1, plain, first),
      uniform('call-lone', 1, call, first),
    ];
    const bursts = await interleave(meter.burst, variants, size);
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The bench broke the ledger: ${JSON.stringify(broken)}`);
    return rows(bursts);
  } finally {
    await Promise.all([off.close(), rivals.end(), close()]);
  }
}

const booking = (db: Db): Pay => {
  const book = bookedTransfer(db);
  return (from, to) => book(randomUUID(), from, to);
};

/** Wallets with consecutive ids, the first of which is answered, with money on each. */
export async function fund(db: Db): Promise<number> {
  const world = await openAccount(db, houseAccount('world', 'IDR'));
  const made = await run<{ account_id: number }>(
    db,
    `insert into ledger.accounts (owner, purpose, asset)
     select 'bench:' || n, 'wallet', 'IDR' from generate_series(1, $1::int) n returning account_id`,
    [ACCOUNTS],
  );
  const operations = made.map(({ account_id }) => ({
    key: `fund:${account_id}`,
    kind: 'fund',
    legs: transfer(world, account_id, FUNDS),
  }));
  for (let i = 0; i < operations.length; i += FUNDED_AT_ONCE)
    await postAllWithin(db, operations.slice(i, i + FUNDED_AT_ONCE));
  return Math.min(...made.map(({ account_id }) => account_id));
}

/** In one transaction, as the service would. */
async function batch(pool: pg.Pool, first: number): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(LOOP_ROWS, [first]);
    await client.query(LOOP_POSTINGS, [first]);
    await client.query('commit');
  } finally {
    client.release();
  }
  return BATCH;
}

function uniform(name: string, inFlight: number, pay: Pay, first: number): Variant {
  return {
    name,
    inFlight,
    async once() {
      const from = Math.floor(Math.random() * ACCOUNTS);
      const to = (from + 1 + Math.floor(Math.random() * (ACCOUNTS - 1))) % ACCOUNTS;
      await pay(first + from, first + to);
      return 1;
    },
  };
}

/** Between any two accounts, and all of them to one. */
function payments(name: string, pay: Pay, first: number): Variant[] {
  return [
    uniform(name, IN_FLIGHT, pay, first),
    {
      name: `${name}-hot`,
      inFlight: IN_FLIGHT,
      async once() {
        await pay(first + 1 + Math.floor(Math.random() * (ACCOUNTS - 1)), first);
        return 1;
      },
    },
  ];
}

function rows(bursts: Bursts): BenchRow[] {
  const { rate, wait, cpuIn, typical, against } = compare(bursts);
  const faster = (bar: string, what: string, a: string, b: string, limit: number) =>
    atLeast({ bar, what, measured: rate(a, b), limit, note: against(a, b) });
  const bestCall = rate('booked', 'call') < rate('booked', 'call-16') ? 'call' : 'call-16';
  const p50 = (name: string) => `${typical(name, 'p50Ms').toFixed(2)} ms`;
  const cpu = (where: string, what: 'nodeUs' | 'serverUs', limit: number) => {
    const us = (name: string) => `${typical(name, what).toFixed(1)} us`;
    return atMost({
      bar: 'L6',
      what: `booked, CPU in ${where} per transfer, of one call`,
      limit,
      measured: cpuIn(what, 'booked', 'call'),
      note: `${us('booked')} against ${us('call')}`,
    });
  };
  const lone = (of: string, other: string) => ({
    what: `a lone booking, time of ${of}`,
    measured: wait('booked-lone', other),
    note: `${p50('booked-lone')} against ${p50(other)}`,
  });
  return [
    faster('L1', 'booked, rate of the same SQL in a loop', 'booked', 'loop', 0.8),
    faster('L2', 'booked, rate of one call per transfer at its best', 'booked', bestCall, 1.4),
    faster('L3', 'booked, rate of a plain transaction', 'booked', 'plain', 4.5),
    faster('L3', 'booked, rate of an ORM transaction', 'booked', 'orm', 7),
    faster('L4', 'hot account: rate of a plain transaction', 'booked-hot', 'plain-hot', 12),
    faster('L4', 'hot account: rate of an ORM transaction', 'booked-hot', 'orm-hot', 18),
    faster('L5', 'booked, hot account to uniform', 'booked-hot', 'booked', 0.85),
    cpu('Node', 'nodeUs', 0.6),
    cpu('PostgreSQL', 'serverUs', 0.4),
    atMost({ bar: 'L7', ...lone('a plain transaction', 'plain-lone'), limit: 1.2 }),
    told({ bar: '', ...lone('one call', 'call-lone'), unit: 'times' }),
    faster('L8', 'booked, durable to not durable', 'booked', 'off', 0.75),
  ];
}
