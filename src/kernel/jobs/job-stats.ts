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

interface Counted extends QueueStats {
  readonly was: string | null;
}

/** Counts what is not finished, by queue; queues with nothing to do are left out. */
export async function queueStats(
  db: Db,
): Promise<{ queues: QueueStats[]; dead: Record<string, number> }> {
  const rows = await run<Counted>(
    db,
    `select name, case name when $1 then source_name end as was,
       count(*) filter (where state < 'active' and start_after <= now()) as due,
       count(*) filter (where state = 'created' and start_after > now()) as delayed,
       count(*) filter (where state = 'retry' and start_after > now()) as retrying,
       count(*) filter (where state = 'active') as active,
       coalesce(greatest(extract(epoch from now() - min(start_after)
         filter (where state < 'active')), 0), 0)::float8 as oldest_s
     from pgboss.job where state < 'completed' group by 1, 2 order by 1, 2`,
    [DEAD],
  );
  const dead = rows.filter(({ was }) => was !== null);
  return {
    queues: rows.filter(({ name }) => name !== DEAD).map(({ was, ...stats }) => stats),
    dead: Object.fromEntries(dead.map(({ was, due }) => [was, due])),
  };
}

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
