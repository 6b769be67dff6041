import { type Db, run } from '#kernel/db/db.ts';
import type { WorkRows } from './job.ts';
import { textOf } from './text-of.ts';

type What = WorkRows['what'];

/** What the tables of open rows differ in. `$1` is a kind or several, `$2` the key of a job. */
interface WorkTable {
  readonly table: string;
  /** The open row that a job takes on. */
  readonly isOf: string;
  /** Notes `$3`, why it has stalled. */
  readonly noteError: string;
  /** Ended rows of these kinds. */
  readonly hasEnded: string;
  readonly endedAt: string;
}

const TABLES: Readonly<Record<What, WorkTable>> = {
  effect: {
    table: 'effects',
    isOf: `kind = $1 and id = $2 and state = 'OPEN'`,
    noteError: `steps = steps || jsonb_build_array(jsonb_build_object('step', 'stall', 'note', $3::text,
      'at', to_char(service_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`,
    // Also of kinds that this version does not know: all are kept for as long.
    hasEnded: `$1::text[] is not null and state <> 'OPEN'`,
    endedAt: 'ended_at',
  },
  flow: {
    table: 'sagas',
    isOf: `type = $1 and id = regexp_replace($2, ':[0-9]+$', '')
      and version = substring($2 from '[0-9]+$')::integer and not finished`,
    noteError: 'last_error = $3',
    hasEnded: 'type = any($1::text[]) and finished',
    endedAt: 'updated_at',
  },
  inbox: {
    table: 'inbox',
    isOf: 'source = $1 and id = $2 and processed_at is null',
    noteError: 'last_error = $3',
    hasEnded: 'source = any($1::text[]) and processed_at is not null',
    endedAt: 'processed_at',
  },
};

const ERROR_MAX = 300;

/** Leaves a row to a person; answers its id, or undefined where it has ended or is stalled already. */
export async function stallWork(
  tx: Db,
  { what, kind }: WorkRows,
  key: string,
  error: string,
): Promise<string | undefined> {
  const { table, isOf, noteError } = TABLES[what];
  const [row] = await run<{ id: string }>(
    tx,
    `update ${table} set stalled_at = service_now(), ${noteError}
     where ${isOf} and stalled_at is null returning id`,
    [kind, key, textOf(error, ERROR_MAX)],
  );
  return row?.id;
}

/** Open rows whose job is gone: after an upgrade, or by a mistake. */
export const lostWork = (
  db: Db,
  jobs: readonly string[],
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<{ job: string; id: string }[]> =>
  run(db, LOST_WORK, [jobs, before.toISOString(), limit]);

/** Reads the indexes of the open rows, and the queue's by key for each of them. */
export const LOST_WORK = `
  select job, id from work w
  where stalled_at is null and since < $2 and job = any($1::text[])
    and not exists (
      select from jobs j
      where j.name in (w.job, w.job || '.exhausted') and j.key = w.job_key and j.state <> 'dead')
  order by since limit $3`;

/** Forgets a batch of rows that ended before; answers how many. */
export async function forgetWork(
  db: Db,
  { what, kinds }: { readonly what: What; readonly kinds: readonly string[] },
  before: Date,
  limit: number,
): Promise<number> {
  const { table, hasEnded, endedAt } = TABLES[what];
  const rows = await run(
    db,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${hasEnded} and ${endedAt} < $2 limit $3))
     and ${hasEnded} and ${endedAt} < $2 returning 1`,
    [kinds, before.toISOString(), limit],
  );
  return rows.length;
}

/** A row that waits for a person. */
export interface StalledWork {
  readonly what: What;
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly error: string | null;
}

/** Rows that wait for a person, the longest waiting first. */
export const stalledWork = (db: Db, limit: number): Promise<StalledWork[]> =>
  run(
    db,
    `select what, id, place as kind, stalled_at as since, error from work
     where stalled_at is not null order by stalled_at limit $1`,
    [limit],
  );
