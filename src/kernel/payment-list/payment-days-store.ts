import { type Db, run } from '../db/db.ts';
import { inBatches } from '../db/in-batches.ts';
import type { Row } from '../db/row.ts';

/** What the payments of a day came to, of one currency, direction and outcome. */
export type PaymentDay = Omit<Row<'payment_days'>, 'client_id'>;

export interface PaymentDayRange {
  /** Undefined for all clients together, of which the last minute may be missing. */
  readonly client_id: number | undefined;
  /** Days in UTC, both included. */
  readonly from: string;
  readonly to: string;
}

/** Days of some months at most: their number grows with no payment. */
const ROWS_MOST = 20_000;

/** By day, oldest first. */
export const readPaymentDays = (
  db: Db,
  { client_id = 0, from, to }: PaymentDayRange,
): Promise<PaymentDay[]> =>
  run<PaymentDay>(
    db,
    `select day::text as day, currency, direction, outcome, failure_code, scale,
       sum(n)::bigint as n, sum(units)::numeric as units
     from (
       select day, currency, direction, outcome, failure_code, scale, n, units from payment_days
        where client_id = $1 and day between $2::date and $3::date
       union all
       select day, currency, direction, outcome, failure_code, scale, n, units from payment_day_changes
        where client_id = $1 and day between $2::date and $3::date) d
     group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0
     order by 1, 2, 3, 4, 5 limit ${ROWS_MOST}`,
    [client_id, from, to],
  );

/** Folds what has changed into the days, of each client and of all together. */
export const foldPaymentDays = (db: Db): Promise<void> =>
  inBatches(async () => (await run(db, FOLD, [])).length);

const FOLD = `
  with taken as (
    delete from payment_day_changes where change_id in (
      select change_id from payment_day_changes order by change_id limit 1000 for update skip locked)
    returning *)
  insert into payment_days (client_id, day, currency, direction, outcome, failure_code, scale, n, units)
  select c.client_id, day, currency, direction, outcome, failure_code, scale, sum(n), sum(units)
  from taken t cross join lateral (values (t.client_id), (0)) c (client_id)
  group by c.client_id, day, currency, direction, outcome, failure_code, scale
  order by c.client_id, day, currency, direction, outcome, failure_code
  on conflict (client_id, day, currency, direction, outcome, failure_code) do update
    set n = payment_days.n + excluded.n, units = payment_days.units + excluded.units
  returning 1`;
