import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { createLedgerEngine, type LedgerEngine } from '#kernel/ledger/engine.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
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
import { atLeast, atMost, type BenchRow } from '../row.ts';
import { oneCall, ormTransaction, type Pay, plainTransaction, RIVAL_SCHEMA } from './rivals.ts';

export const ACCOUNTS = 10_000;
export const FUNDS = 1_000_000_000n;
const IN_FLIGHT = 64;
const BATCH = 64;

/** The posting function as pgbench would call it: prepared, with a batch that the server makes. */
const BATCH_LOOP = `select status from ledger.post(
  array(select gen_random_uuid()::text from generate_series(1, ${BATCH})),
  array_fill('bench'::text, array[${BATCH}]), array_fill(gen_random_uuid(), array[${BATCH}]),
  array_fill(null::jsonb, array[${BATCH}]), array_fill(2, array[${BATCH}]),
  array(select $1::bigint + (random() * ${ACCOUNTS - 1})::int
    from generate_series(1, ${2 * BATCH})),
  array(select unnest(array[-1, 1]) from generate_series(1, ${BATCH}))::numeric[],
  array_fill(0::numeric, array[${2 * BATCH}]))`;

/** The ledger against its rivals, durable. Takes one to two minutes. */
export async function runLedgerBench({ url }: Place, size: Size): Promise<BenchRow[]> {
  const { db, pool, close } = openDatabase(url, { max: IN_FLIGHT });
  // The rivals get the driver's plain pool: naming statements for them is not their idea.
  const rivals = new pg.Pool({ connectionString: url, max: IN_FLIGHT });
  const engine = createLedgerEngine({ connectionString: url });
  const careless = new URL(url);
  careless.searchParams.set('options', '-c synchronous_commit=off');
  const offEngine = createLedgerEngine({ connectionString: careless.href });
  try {
    const first = await fund(db, engine);
    await pool.query(RIVAL_SCHEMA);
    await pool.query(
      'insert into rival.account (id, balance) select n, $1 from generate_series($2::int, $3) n',
      [FUNDS, first, first + ACCOUNTS - 1],
    );
    await pool.query('vacuum analyze');

    const meter = await createMeter(pool);
    const posting =
      (to: LedgerEngine): Pay =>
      (from, payee) =>
        to.post({ key: randomUUID(), kind: 'bench', legs: transfer(from, payee, 1n) });
    const [orm, plain, call] = [ormTransaction(rivals), plainTransaction(rivals), oneCall(rivals)];
    const variants = [
      ...payments('engine', posting(engine), first),
      ...payments('orm', orm, first),
      ...payments('plain', plain, first),
      uniform('call', IN_FLIGHT, call, first),
      uniform('call-16', 16, call, first),
      uniform('off', IN_FLIGHT, posting(offEngine), first),
      { name: 'loop', inFlight: 1, once: () => batch(pool, first) },
      uniform('engine-lone', 1, posting(engine), first),
      uniform('call-lone', 1, call, first),
    ];
    const bursts = await interleave(meter.burst, variants, size);
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The bench broke the ledger: ${JSON.stringify(broken)}`);
    return rows(bursts);
  } finally {
    await Promise.all([engine.close(), offEngine.close(), rivals.end(), close()]);
  }
}

/** Wallets with consecutive ids, the first of which is answered, with money on each. */
export async function fund(db: Db, engine: LedgerEngine): Promise<number> {
  const world = await openAccount(db, houseAccount('world', 'IDR'));
  const made = await run<{ account_id: number }>(
    db,
    `insert into ledger.accounts (owner, purpose, asset)
     select 'bench:' || n, 'wallet', 'IDR' from generate_series(1, $1::int) n returning account_id`,
    [ACCOUNTS],
  );
  await Promise.all(
    made.map(({ account_id }) =>
      engine.post({
        key: `fund:${account_id}`,
        kind: 'fund',
        legs: transfer(world, account_id, FUNDS),
      }),
    ),
  );
  return Math.min(...made.map(({ account_id }) => account_id));
}

async function batch(pool: pg.Pool, first: number): Promise<number> {
  await pool.query({ name: 'bench_batch', text: BATCH_LOOP, values: [first] });
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
  const { rate, wait, typical, against } = compare(bursts);
  const faster = (bar: string, what: string, a: string, b: string, limit: number) =>
    atLeast({ bar, what, measured: rate(a, b), limit, note: against(a, b) });
  const bestCall = rate('engine', 'call') < rate('engine', 'call-16') ? 'call' : 'call-16';
  const p50 = (name: string) => `${typical(name, 'p50Ms').toFixed(2)} ms`;
  return [
    faster('L1', 'engine, rate of the same batch SQL in a loop', 'engine', 'loop', 0.8),
    faster('L2', 'engine, rate of one call per transfer at its best', 'engine', bestCall, 1.4),
    faster('L3', 'engine, rate of a plain transaction', 'engine', 'plain', 4.5),
    faster('L3', 'engine, rate of an ORM transaction', 'engine', 'orm', 7),
    faster('L4', 'hot account: rate of a plain transaction', 'engine-hot', 'plain-hot', 12),
    faster('L4', 'hot account: rate of an ORM transaction', 'engine-hot', 'orm-hot', 18),
    faster('L5', 'engine, hot account to uniform', 'engine-hot', 'engine', 0.85),
    atMost({
      ...{ bar: 'L6', what: 'engine, CPU in Node per transfer' },
      ...{ measured: typical('engine', 'nodeUs'), unit: 'us', limit: 10 },
    }),
    atMost({
      ...{ bar: 'L6', what: 'engine, CPU in PostgreSQL per transfer' },
      ...{ measured: typical('engine', 'serverUs'), unit: 'us', limit: 75 },
    }),
    atMost({
      ...{ bar: 'L7', what: 'a lone transfer, time of one call', limit: 1.8 },
      measured: wait('engine-lone', 'call-lone'),
      note: `${p50('engine-lone')} against ${p50('call-lone')}`,
    }),
    faster('L8', 'engine, durable to not durable', 'engine', 'off', 0.75),
  ];
}
