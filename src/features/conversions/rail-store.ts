import { type Db, run } from '#kernel/db/db.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** A movement at the exchange, as it is booked here. */
export interface Booked {
  readonly line: string;
  readonly reference: string;
  readonly kind: string;
  readonly asset: 'IDR' | 'USDC';
  readonly units: bigint;
  readonly at: string;
}

/** In the order of their time and name, from the one after `after`. */
export const listBooked = (
  db: Db,
  { from, to }: BookWindow,
  after: { readonly at: string; readonly line: string } | undefined,
  limit: number,
): Promise<Booked[]> =>
  run<Booked>(
    db,
    `select * from (
       select 'deposit:' || job_id as line, reference_id as reference, 'deposit' as kind,
         'IDR' as asset, amount as units, date_trunc('milliseconds', confirmed_at) as at
       from conversion_jobs where confirmed_at >= $1 and confirmed_at < $2
       union all
       select 'trade:' || order_id || ':IDR', reference, 'trade', 'IDR', -spent,
         date_trunc('milliseconds', ended_at)
       from conversion_orders where state = 'FILLED' and ended_at >= $1 and ended_at < $2
       union all
       select 'trade:' || order_id || ':USDC', reference, 'trade', 'USDC', bought - fee_usdc,
         date_trunc('milliseconds', ended_at)
       from conversion_orders where state = 'FILLED' and ended_at >= $1 and ended_at < $2
       union all
       select 'withdrawal:' || withdrawal_id, reference, 'withdrawal', 'USDC', -amount,
         date_trunc('milliseconds', ended_at)
       from conversion_withdrawals where state = 'COMPLETED' and ended_at >= $1 and ended_at < $2
     ) b
     where $3::timestamptz is null or (at, line) > ($3::timestamptz, $4::text)
     order by at, line limit $5`,
    [from.toISOString(), to.toISOString(), after?.at ?? null, after?.line ?? null, limit],
  );
