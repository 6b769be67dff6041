import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** A movement at the exchange or the gateway, as it is booked here. */
export type Booked = Row<'conversion_orders', 'reference'> &
  Row<'conversion_jobs', 'client_id'> & {
    readonly line: string;
    readonly kind: string;
    readonly asset: 'IDR' | 'USDC';
    readonly units: bigint;
    readonly at: string;
  };

/** The last line of the page before. */
export interface Place {
  readonly at: string;
  readonly line: string;
}

/** In the order of their time and name, from the one after `after`. */
const paged =
  (lines: string) =>
  (db: Db, { from, to }: BookWindow, after: Place | undefined, limit: number) =>
    run<Booked>(
      db,
      `select * from (${lines}) b
       where $3::timestamptz is null or (at, line) > ($3::timestamptz, $4::text)
       order by at, line limit $5`,
      [from.toISOString(), to.toISOString(), after?.at ?? null, after?.line ?? null, limit],
    );

const ORDERS = `conversion_orders o join conversion_jobs j using (job_id)
  where o.state = 'FILLED' and o.ended_at >= $1 and o.ended_at < $2`;
const trades = (asset: 'IDR' | 'USDC', units: string): string => `
  select 'trade:' || o.order_id || ':${asset}' as line, o.reference, 'trade' as kind,
    '${asset}' as asset, ${units} as units, date_trunc('milliseconds', o.ended_at) as at,
    j.client_id
  from ${ORDERS}`;

/** Deposits, both sides of trades, and withdrawals. */
export const listAtExchange = paged(`
  select 'deposit:' || job_id as line, reference_id as reference, 'deposit' as kind,
    'IDR' as asset, amount as units, date_trunc('milliseconds', confirmed_at) as at, client_id
  from conversion_jobs where confirmed_at >= $1 and confirmed_at < $2
  union all ${trades('IDR', '-o.spent')}
  union all ${trades('USDC', 'o.bought - o.fee_usdc')}
  union all
  select 'withdrawal:' || w.withdrawal_id, w.reference, 'withdrawal', 'USDC', -w.amount,
    date_trunc('milliseconds', w.ended_at), j.client_id
  from conversion_withdrawals w join conversion_jobs j using (job_id)
  where w.state = 'COMPLETED' and w.ended_at >= $1 and w.ended_at < $2`);
