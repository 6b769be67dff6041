import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';

/** The latest payments, of which speeds are measured. */
const MEASURED = 20_000;

/** How long payments of each rail take, from the latest that have succeeded. */
export async function measureSpeeds(db: Db, at: Date): Promise<void> {
  await run(
    db,
    `insert into payment_speeds (rail, p50_s, p95_s, p99_s, payments, last_succeeded_at, measured_at)
     select rail, percentile_cont(0.5) within group (order by took), percentile_cont(0.95) within group (order by took),
       percentile_cont(0.99) within group (order by took), count(*), max(ended_at), $1
     from (
       select rail, ended_at, greatest(extract(epoch from ended_at - created_at), 0)::float8 as took
       from (
         select rail, created_at, (status_times ->> 'succeeded_at')::timestamptz as ended_at
         from payments order by payment_id desc limit ${MEASURED}) latest
       where ended_at is not null) ended
     group by rail
     on conflict (rail) do update set p50_s = excluded.p50_s, p95_s = excluded.p95_s, p99_s = excluded.p99_s,
       payments = excluded.payments, last_succeeded_at = excluded.last_succeeded_at, measured_at = excluded.measured_at`,
    [at.toISOString()],
  );
}

export const readSpeeds = (db: Db): Promise<Row<'payment_speeds'>[]> =>
  run(db, 'select * from payment_speeds order by rail', []);

export interface RailDoubt {
  readonly rail: string;
  readonly in_doubt: number;
  readonly oldest_since: string;
}

/** The open calls of payments that were made and have no known outcome, by rail; of the oldest thousand. */
export const doubtsByRail = (db: Db): Promise<RailDoubt[]> =>
  run(
    db,
    `select p.rail, count(*)::integer as in_doubt, min(coalesce(e.called_at, e.opened_at)) as oldest_since
     from (select * from effects where state = 'OPEN' and calls > 0 order by opened_at limit 1000) e
     cross join lateral (select rail from payments
       where work_id = effect_work_id(e.kind, e.id) and status = 'PENDING' limit 1) p
     group by p.rail`,
    [],
  );

/** Marks pending payments that take longer than their rail's p99 and than the floor, oldest first, and answers them. */
export const markDelayed = (
  tx: Db,
  { at, floorS, limit }: { readonly at: Date; readonly floorS: number; readonly limit: number },
): Promise<Row<'payments'>[]> =>
  run(
    tx,
    `update payments p set delayed_at = $1::timestamptz
     where p.payment_id = any (array(
       select w.payment_id from payments w
        where w.status = 'PENDING' and w.delayed_at is null
          and w.payment_id < payment_id_of($1::timestamptz - make_interval(secs => $2::float8), '')
          and w.created_at < $1::timestamptz - make_interval(secs =>
            coalesce((select s.p99_s from payment_speeds s where s.rail = w.rail), 0))
        order by w.payment_id limit $3 for update skip locked))
       and p.status = 'PENDING' and p.delayed_at is null
     returning p.*`,
    [at.toISOString(), floorS, limit],
  );
