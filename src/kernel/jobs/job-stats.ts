import { type Db, run } from '#kernel/db/db.ts';
import { DEAD } from './boss.ts';

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

interface Counted extends QueueStats {
  readonly was: string | null;
}

/**
 * Counts what is not finished, by queue, each kind up to `COUNTED_MAX`; queues with nothing to do are left
 * out. It costs as much however many jobs wait.
 */
export async function queueStats(
  db: Db,
): Promise<{ queues: QueueStats[]; dead: Record<string, number> }> {
  const rows = await run<Counted>(db, STATS, [DEAD, COUNTED_MAX]);
  const dead = rows.filter(({ was }) => was !== null);
  return {
    queues: rows.filter(({ name }) => name !== DEAD).map(({ was, ...stats }) => stats),
    dead: Object.fromEntries(dead.map(({ was, due }) => [was, due])),
  };
}

/**
 * Throws where the queue cannot be read. By its key, for a job that there is not: the first job of all may lie behind
 * the room of thousands that are done.
 */
export const touchJobs = (db: Db) => run(db, TOUCH, []);
const TOUCH = `
  select from pgboss.job_common where name = '' and id = '00000000-0000-0000-0000-000000000000'`;

/** The names one after the other, and of each the first that are due and the first that are due later. */
const STATS = `
  with recursive names as (
    (select name from pgboss.job_common where state < 'completed' order by name limit 1)
    union all
    select (select j.name from pgboss.job_common j where j.state < 'completed' and j.name > n.name
             order by j.name limit 1)
      from names n where n.name is not null)
  select n.name, case n.name when $1 then source_name end as was,
    count(*) filter (where state < 'active' and is_due) as due,
    count(*) filter (where state = 'created' and not is_due) as delayed,
    count(*) filter (where state = 'retry' and not is_due) as retrying,
    count(*) filter (where state = 'active') as active,
    coalesce(greatest(extract(epoch from now() - min(start_after)
      filter (where state < 'active')), 0), 0)::float8 as oldest_s
  from names n cross join lateral (
    (select state, start_after, source_name, true as is_due from pgboss.job_common j
      where j.name = n.name and j.state < 'completed' and j.start_after <= now()
      order by j.start_after limit $2)
    union all
    (select state, start_after, source_name, false from pgboss.job_common j
      where j.name = n.name and j.state < 'completed' and j.start_after > now()
      order by j.start_after limit $2)) j
  where n.name is not null
  group by 1, 2 order by 1, 2`;

export async function deadLetters(db: Db, limit: number): Promise<DeadLetter[]> {
  return run(
    db,
    `select id, source_name as name, data as payload, source_output ->> 'message' as error,
       source_retry_count + 1 as attempts, created_on as died_at
     from pgboss.job where name = $1 and state = 'created'
     order by created_on desc, id limit $2`,
    [DEAD, limit],
  );
}
