import { type Db, run } from '#kernel/db/db.ts';

export interface QueueStats {
  readonly name: string;
  /** Waiting and due; `retrying` and `delayed` jobs are due later. */
  readonly due: number;
  readonly delayed: number;
  readonly retrying: number;
  readonly active: number;
  /** How long the job that is due longest has waited, in seconds. */
  readonly oldest_s: number;
}

/** A job that is not tried any more, until it is redriven. */
export interface DeadLetter {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly error: string | null;
  readonly attempts: number;
  readonly died_at: string;
}

/** No more of a kind are counted: more is a lot, and waiting work is not read through to say how much. */
export const COUNTED_MAX = 1000;

/**
 * Counts what is not finished, by name, each kind up to `COUNTED_MAX`; names with nothing to do are left
 * out. It costs as much however many jobs wait.
 */
export async function queueStats(
  db: Db,
): Promise<{ queues: QueueStats[]; dead: Record<string, number> }> {
  const queues = await run<QueueStats>(db, STATS, [COUNTED_MAX]);
  const dead = await run<{ name: string; n: number }>(db, DEAD, [COUNTED_MAX]);
  return { queues, dead: Object.fromEntries(dead.map(({ name, n }) => [name, n])) };
}

/** Throws where the queue cannot be read. By its key, for a job that there is not. */
export const touchJobs = (db: Db) => run(db, TOUCH, []);
const TOUCH = `select from jobs where id = '00000000-0000-0000-0000-000000000000'`;

/** The names one after the other by an index, of rows for which this holds. */
const namesOf = (which: string) => `
  with recursive names as (
    (select name from jobs where ${which} order by name limit 1)
    union all
    select (select j.name from jobs j where ${which} and j.name > n.name order by j.name limit 1)
      from names n where n.name is not null)`;

/** Of each name the first that are due and the first that are due later. */
const STATS = `${namesOf(`state <> 'dead'`)}
  select n.name,
    count(*) filter (where state in ('waiting', 'retrying') and is_due) as due,
    count(*) filter (where state = 'waiting' and not is_due) as delayed,
    count(*) filter (where state = 'retrying' and not is_due) as retrying,
    count(*) filter (where state in ('active', 'lapsed')) as active,
    coalesce(greatest(extract(epoch from now() - min(due_at)
      filter (where state in ('waiting', 'retrying'))), 0), 0)::float8 as oldest_s
  from names n cross join lateral (
    (select state, due_at, true as is_due from jobs j
      where j.name = n.name and j.state <> 'dead' and j.due_at <= now()
      order by j.due_at limit $1)
    union all
    (select state, due_at, false from jobs j
      where j.name = n.name and j.state <> 'dead' and j.due_at > now()
      order by j.due_at limit $1)) j
  where n.name is not null
  group by 1 order by 1`;

const DEAD = `${namesOf(`state = 'dead'`)}
  select n.name, count(*)::integer as n
  from names n cross join lateral (
    select from jobs j where j.name = n.name and j.state = 'dead' limit $1) j
  where n.name is not null
  group by 1 order by 1`;

export const deadLetters = (db: Db, limit: number): Promise<DeadLetter[]> =>
  run(
    db,
    `select id, name, data as payload, error, attempt as attempts, died_at
     from jobs where state = 'dead' order by died_at desc, id limit $1`,
    [limit],
  );
