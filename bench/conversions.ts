import { join } from 'node:path';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { DEMO } from '#src/app/seed.ts';
import type { Place } from './place.ts';
import { type BenchRow, reported } from './row.ts';
import { type Started, startService } from './service-process.ts';
import { NO_NODES } from './start.ts';

const JOBS = 1000;
const RUPIAH = 250_000;
const AT_ONCE = 8;
const LOOK_MS = 100;
const PATIENCE_MS = 300_000;

/**
 * Rupiah of so many users to USDC: two workers pay out, trade and withdraw, against the sandbox's gateway and exchange in a
 * third process. Each job is three calls and their look-ups.
 */
export async function runConversionBench({ url, dir }: Place): Promise<BenchRow[]> {
  const { db, close } = openDatabase(url);
  const home = { ...NO_NODES, DATABASE_URL: url, DATA_DIR: join(dir, 'conversions') };
  const api = await startService({ ...home, ROLE: 'api', RATE_LIMITS: 'off' });
  const sandbox = { SANDBOX_PORT: new URL(api.sandboxUrl).port };
  const workers = await Promise.all(
    [1, 2].map(() => startService({ ...home, ...sandbox, ROLE: 'worker' })),
  );
  try {
    await makeUsers(db);
    const act = await operatorOf(api);
    const paidOut = await timed(db, 'WAITING_EXCHANGE', () => act('run-daily'));
    await arriveAll(db, api);
    const confirmed = await timed(db, 'TRADING', () => act('poll-balance'));
    const done = await timed(db, 'COMPLETED', () => act('run-trades'));
    const { broken } = await verifyLedger(db);
    if (broken.length > 0) throw new Error(`The ledger is broken: ${broken[0]?.rule}`);
    return [...rowsOf(paidOut + confirmed + done), ...(await latencies(db))];
  } finally {
    await Promise.all(workers.map(({ stop }) => stop()));
    await api.stop();
    await close();
  }
}

const rowsOf = (seconds: number): BenchRow[] => [
  reported({
    bar: '',
    what: 'conversions by two workers, from the daily run to USDC paid out',
    measured: JOBS / seconds,
    unit: '/s',
    note: `${JOBS} in ${seconds.toFixed(1)} s`,
  }),
];

/** From the decision of a call to its booking, including the wait for a worker. */
async function latencies(db: Db): Promise<BenchRow[]> {
  const rows = await run<{ kind: string; p50: number; p99: number }>(
    db,
    `select kind, percentile_cont(0.5) within group (order by ms)::float8 as p50,
       percentile_cont(0.99) within group (order by ms)::float8 as p99
     from (select kind, extract(epoch from ended_at - opened_at)::float8 * 1000 as ms
       from effects where kind like 'conversion-%') e group by kind order by kind`,
    [],
  );
  return rows.map(({ kind, p50, p99 }) =>
    reported({
      bar: '',
      what: `${kind}, decided to booked with ${JOBS} in the queue: p99`,
      measured: p99 / 1000,
      unit: 's',
      note: `p50 ${(p50 / 1000).toFixed(1)} s`,
    }),
  );
}

/** Seconds from the request until all jobs are in that state. */
async function timed(db: Db, status: string, ask: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await ask();
  for (;;) {
    const [found] = await run<{ n: number }>(
      db,
      'select count(*) as n from conversion_jobs where status = $1',
      [status],
    );
    const elapsed = performance.now() - start;
    if (found?.n === JOBS) return elapsed / 1000;
    if (elapsed > PATIENCE_MS) throw new Error(`Only ${found?.n} of ${JOBS} are ${status}`);
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

async function operatorOf({ apiUrl }: Started): Promise<(path: string) => Promise<void>> {
  const headers = { 'x-api-key': DEMO.apiKey, 'content-type': 'application/json' };
  const { email: usernameoremail, password } = DEMO.operator;
  const login = await fetch(`${apiUrl}/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ usernameoremail, password }),
  });
  const { data } = (await login.json()) as { data: { token: string } };
  return async (path) => {
    const reply = await fetch(`${apiUrl}/exchange/conversion/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': DEMO.apiKey, authorization: `Bearer ${data.token}` },
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  };
}

async function arriveAll(db: Db, { sandboxUrl }: Started): Promise<void> {
  const jobs = await run<{ reference_id: string }>(
    db,
    'select reference_id from conversion_jobs order by job_id',
    [],
  );
  const next = jobs.values();
  const arrive = async () => {
    for (const { reference_id } of next)
      await fetch(`${sandboxUrl}/exchange/deposits`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reference_id }),
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, arrive));
}

/** Of the demo client, each with rupiah and a wallet on a network that is no test chain. */
async function makeUsers(db: Db): Promise<void> {
  const rows = await run<{ account_id: number }>(
    db,
    `with people as (
       insert into users (client_id, username, email, phone, role)
       select 2, 'bench-' || n, 'bench-' || n || '@example.test', '+1555' || n, 'user'
       from generate_series(1, $1::int) n returning user_id
     ), accounts as (
       insert into ledger.accounts (owner, purpose, asset, min_available)
       select 'user:' || user_id, 'wallet', 'IDR', 0 from people
       returning account_id, substr(owner, 6)::int as user_id
     ), wallets as (
       insert into fiat_wallets (user_id, currency, account_id)
       select user_id, 'IDR', account_id from accounts returning account_id
     ), destinations as (
       insert into exchange_wallets (user_id, network, wallet_address, is_primary)
       select user_id, 'TRC20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', true from people
       returning user_id
     )
     select account_id from wallets where (select count(*) from destinations) > 0`,
    [JOBS],
  );
  const nowhere = await openAccount(db, houseAccount('bench-funds', 'IDR'));
  const gifts = rows.map(({ account_id }) => ({
    key: `bench-funds:${account_id}`,
    kind: 'bench-funds',
    legs: transfer(nowhere, account_id, BigInt(RUPIAH) * 100n),
  }));
  await postAllWithin(db, gifts);
}
