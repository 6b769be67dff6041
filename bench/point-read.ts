import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Burst, compare, createMeter, interleave, type Meter, type Size } from './meter.ts';
import type { Place } from './place.ts';
import { atLeast, type BenchRow, reported } from './row.ts';

const CONNECTIONS = 16;
const ACCOUNTS = 10_000;
const SELECT = 'select account_id, posted, held from ledger.accounts where account_id = ';

interface Reader {
  readonly name: string;
  burst(ms: number): Promise<Burst>;
}

/** The cost of our layer over the database, against PostgreSQL's own benchmark if installed. */
export async function runPointReadBench({ url, dir }: Place, size: Size): Promise<BenchRow[]> {
  const { db, pool, close } = openDatabase(url, { max: CONNECTIONS });
  const plain = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  try {
    await openAccount(db, houseAccount('world', 'IDR'));
    await pool.query(
      `insert into ledger.accounts (owner, purpose, asset)
       select 'bench:' || n, 'wallet', 'IDR' from generate_series(1, $1::int) n`,
      [ACCOUNTS],
    );
    await pool.query('vacuum analyze');
    const meter = await createMeter(pool);
    const any = () => 1 + Math.floor(Math.random() * ACCOUNTS);
    const text = reader(meter, 'text', async () => {
      await pool.query(`${SELECT} $1`, [any()]);
    });
    const builder = reader(meter, 'builder', async () => {
      await db
        .selectFrom('ledger.accounts')
        .select(['account_id', 'posted', 'held'])
        .where('account_id', '=', any())
        .executeTakeFirst();
    });
    const driver = reader(meter, 'driver', async () => {
      await plain.query({ name: 'point', text: `${SELECT} $1`, values: [any()] });
    });
    const [tool] = globSync('/usr/lib/postgresql/*/bin/pgbench');
    const pgbench = tool ? [await pgbenchReader(meter, tool, { url, dir })] : [];
    const readers = [text, builder, driver, ...pgbench];
    const bursts = await interleave(({ burst }: Reader, ms) => burst(ms), readers, size);
    const { capacity, against } = compare(bursts);
    const row = (what: string, a: string, b: string, limit: number) =>
      atLeast({ bar: 'D1', what, limit, measured: capacity(a, b), note: against(a, b) });
    // Node's driver relative to one in C: it depends on the machine, not on our code.
    const beside = (what: string, a: string) =>
      reported({
        bar: '',
        what,
        unit: 'x',
        measured: capacity(a, 'pgbench'),
        note: against(a, 'pgbench'),
      });
    const named = 'the driver with a named statement';
    return [
      ...(tool
        ? [
            beside('point select as text, capacity of pgbench -M prepared', 'text'),
            beside('the same by the query builder', 'builder'),
          ]
        : []),
      row(`point select as text, capacity of ${named}`, 'text', 'driver', 0.85),
      row('the same by the query builder', 'builder', 'driver', 0.65),
    ];
  } finally {
    await plain.end();
    await close();
  }
}

function reader(meter: Meter, name: string, read: () => Promise<void>): Reader {
  const once = async () => {
    await read();
    return 1;
  };
  return { name, burst: (ms) => meter.burst({ name, inFlight: CONNECTIONS, once }, ms) };
}

/** pgbench counts whole seconds and connects first, so its bursts are longer than the others'. */
async function pgbenchReader(meter: Meter, tool: string, { url, dir }: Place): Promise<Reader> {
  const script = join(dir, 'point.sql');
  await writeFile(script, `\\set id random(1, ${ACCOUNTS})\n${SELECT} :id;\n`);
  const connections = String(CONNECTIONS);
  const options = ['-n', '-M', 'prepared', '-c', connections, '-j', '1', '-T', '2', '-f', script];
  return {
    name: 'pgbench',
    async burst() {
      const before = childrenUs();
      const { serverUs, rate } = await meter.watch(['self'], async () => {
        const printed = await output(tool, [...options, url]);
        const units = Number(/actually processed: (\d+)/.exec(printed)?.[1]);
        const perSecond = Number(/tps = ([\d.]+)/.exec(printed)?.[1]);
        return { units, seconds: units / perSecond, p50Ms: (CONNECTIONS / perSecond) * 1000 };
      });
      return { rate, serverUs, nodeUs: (childrenUs() - before) / (rate * 2), p50Ms: 0 };
    },
  };
}

/** CPU of the processes that we started and that have ended. */
function childrenUs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10_000;
  } catch {
    return Number.NaN;
  }
}

function output(tool: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let failed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    child.stderr.on('data', (chunk) => (failed += chunk));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(failed))));
  });
}
