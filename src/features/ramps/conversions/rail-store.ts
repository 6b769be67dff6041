import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** A booked movement at the exchange or the gateway. */
export type BookedMovement = Row<'conversion_orders', 'reference'> &
  Row<'conversion_jobs', 'client_id'> & {
    readonly line: string;
    readonly kind: string;
    readonly asset: 'IDR' | 'USDC';
    readonly units: bigint;
    readonly at: string;
  };

/** The cursor of a line: its moment as the database has it, its kind, and its row. */
export interface RailPosition {
  readonly moment: string;
  readonly n: number;
  readonly id: number;
}

interface Movement {
  readonly line: string;
  readonly reference: string;
  readonly kind: string;
  readonly asset: string;
  readonly units: string;
  readonly from: string;
  readonly moment: string;
  readonly id: string;
}

const trade = (asset: 'IDR' | 'USDC', units: string): Movement => ({
  line: `'trade:' || o.order_id || ':${asset}'`,
  reference: 'o.reference',
  kind: 'trade',
  asset,
  units,
  from: `conversion_orders o join conversion_jobs j using (job_id) where o.state = 'FILLED'`,
  moment: 'o.ended_at',
  id: 'o.order_id',
});

/** Deposits, both sides of trades, and withdrawals. */
const MOVEMENTS: readonly Movement[] = [
  {
    line: `'deposit:' || j.job_id`,
    reference: 'j.reference_id',
    kind: 'deposit',
    asset: 'IDR',
    units: 'j.amount',
    from: 'conversion_jobs j where j.confirmed_at is not null',
    moment: 'j.confirmed_at',
    id: 'j.job_id',
  },
  trade('IDR', '-o.spent'),
  trade('USDC', 'o.bought - o.fee_usdc'),
  {
    line: `'withdrawal:' || w.withdrawal_id`,
    reference: 'w.reference',
    kind: 'withdrawal',
    asset: 'USDC',
    units: '-w.amount',
    from: `conversion_withdrawals w join conversion_jobs j using (job_id) where w.state = 'COMPLETED'`,
    moment: 'w.ended_at',
    id: 'w.withdrawal_id',
  },
];

/** A page of each kind, by its index, from the cursor on: of one moment the lower kind comes first. */
const pageOf = (
  { line, reference, kind, asset, units, from, moment, id }: Movement,
  n: number,
) => `(
  select ${line} as line, ${reference} as reference, '${kind}' as kind, '${asset}' as asset,
    ${units} as units, date_trunc('milliseconds', ${moment}) as at, j.client_id,
    ${moment} as ended, ${n} as n, ${id} as id
  from ${from} and ${moment} < $1 and (${moment}, ${id}) > ($2::timestamptz,
    case when $3::int < ${n} then -1 when $3::int > ${n} then ${ID_MAX} else $4::int end)
  order by ${moment}, ${id} limit $5)`;

const LINES = `
  select line, reference, kind, asset, units, at, client_id, ended::text as moment, n, id
  from (${MOVEMENTS.map(pageOf).join(' union all ')}) b order by ended, n, id limit $5`;

/** In the order of their time, from the one after `after`. */
export const listAtExchange = (
  db: Db,
  { from, to }: BookWindow,
  after: RailPosition | undefined,
  limit: number,
): Promise<(BookedMovement & RailPosition)[]> => {
  const { moment, n, id } = after ?? { moment: from.toISOString(), n: -1, id: 0 };
  return run(db, LINES, [to.toISOString(), moment, n, id, limit]);
};
