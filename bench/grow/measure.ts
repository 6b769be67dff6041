import type pg from 'pg';
import { openClient } from '#kernel/db/client.ts';
import { casesAt } from './cases.ts';
import { withService } from './service.ts';
import type { Sizes } from './sizes.ts';
import { worksOf } from './works.ts';

/** The cost of one request of a case, or one run of a schedule, for the database, warm. */
export interface Measured {
  readonly name: string;
  /** How it ended. */
  readonly status: number | string;
  readonly statements: number;
  /** Of 8 kB, in memory or not. */
  readonly blocks: number;
  readonly databaseMs: number;
  /** The caller's time. */
  readonly ms: number;
}

interface Measurement {
  readonly sizes: Sizes;
  /** A part of the names to run; all without one. */
  readonly only: string;
}

const REQUESTS = { warm: 6, counted: 15 };
/** The first run may have a backlog to clear. */
const RUNS = { warm: 3, counted: 5 };

/** Runs every case against a service over that database. */
export async function measure(
  url: string,
  adminUrl: string,
  { sizes, only }: Measurement,
): Promise<Measured[]> {
  const client = await openClient({ connectionString: adminUrl });
  const measured: Measured[] = [];
  const wanted = <T extends { name: string }>(all: readonly T[]) =>
    all.filter(({ name }) => name.includes(only));
  try {
    await withService(url, sizes, async (app, ask) => {
      for (const one of wanted(casesAt(sizes)))
        measured.push(await measureOne(client, one.name, REQUESTS, () => ask(one)));
      await app.kernel.jobs.drain();
      for (const { name, work } of wanted(worksOf(app)))
        measured.push(await measureOne(client, name, RUNS, work));
    });
    return measured;
  } finally {
    await client.end();
  }
}

type Times = typeof REQUESTS;

/**
 * Blocks of the median of several, since other work of the service falls into few of them. Time of the
 * fastest: neighbours on the machine can only add to it.
 */
async function measureOne(
  client: pg.Client,
  name: string,
  { warm, counted }: Times,
  work: () => Promise<Measured['status']>,
): Promise<Measured> {
  for (let n = 0; n < warm; n += 1) await work();
  const all: Omit<Measured, 'name'>[] = [];
  for (let n = 0; n < counted; n += 1) {
    await client.query('select pg_stat_statements_reset()');
    const start = performance.now();
    const status = await work();
    const ms = performance.now() - start;
    const { rows } = await client.query(SPENT);
    all.push({ status, ms, ...rows[0] });
  }
  const sorted = (of: 'statements' | 'blocks' | 'databaseMs' | 'ms') =>
    all.map((one) => Number(one[of])).toSorted((a, b) => a - b);
  const middle = (of: 'statements' | 'blocks') => sorted(of)[Math.floor(counted / 2)] ?? 0;
  const measured = {
    name,
    status: all.at(-1)?.status ?? '',
    statements: middle('statements'),
    blocks: middle('blocks'),
    databaseMs: sorted('databaseMs')[0] ?? 0,
    ms: sorted('ms')[0] ?? 0,
  };
  console.log(`  ${Object.values(measured).join(' | ')}`);
  return measured;
}

/** Of the application's role, without the dispatcher's and the mover's. */
const SPENT = `
  select coalesce(sum(shared_blks_hit + shared_blks_read + local_blks_hit + temp_blks_read
           + temp_blks_written), 0) as blocks,
         coalesce(sum(total_exec_time), 0) as "databaseMs", coalesce(sum(calls), 0) as statements
  from pg_stat_statements s join pg_roles r on r.oid = s.userid
  where not r.rolsuper and query !~* '^(begin|commit|rollback|set|listen)'
    and query !~ 'events\\.move|job_schedules|turn_jobs'`;
