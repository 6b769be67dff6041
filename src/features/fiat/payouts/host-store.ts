import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** A movement at the bank host as we have booked it, and the place of the page after it. */
export interface HostLine
  extends Pick<Row<'payouts'>, 'reference' | 'asset' | 'units' | 'client_id'> {
  readonly kind: 'payout' | 'return';
  readonly at: string;
  readonly place: string;
}

/** Transfers by the time of their payment, and those that came back by that of their return. */
export const hostLinesBetween = (
  db: Db,
  { from, to }: BookWindow,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<HostLine[]> => {
  const [at = '', kind = '', ...reference] = after?.split(' ') ?? [from.toISOString()];
  return run<HostLine>(
    db,
    `select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || kind || ' '
         || reference as place
     from (
       (select paid_at as at, 'payout' as kind, reference, asset, -units as units, client_id from payouts
        where asset <> 'IDR' and paid_at is not null and paid_at >= $2 and paid_at < $1
        order by paid_at, reference limit $5)
       union all
       (select updated_at, 'return', reference, asset, units, client_id from payouts
        where asset <> 'IDR' and state = 'RETURNED' and updated_at >= $2 and updated_at < $1
        order by updated_at, reference limit $5)
     ) lines
     where (at, kind, reference) > ($2::timestamptz, $3, $4)
     order by at, kind, reference limit $5`,
    [to.toISOString(), at, kind, reference.join(' '), limit],
  );
};

/** Of these references those that are booked as paid. */
export async function paidAmong(db: Db, references: readonly string[]): Promise<string[]> {
  const text = `select reference from payouts where reference = any($1) and state = 'PAID'`;
  const rows = await run<Pick<Row<'payouts'>, 'reference'>>(db, text, [references]);
  return rows.map(({ reference }) => reference);
}

/** Whether a bank was ever paid in another currency than rupiah. */
export async function hasHostPayouts(db: Db): Promise<boolean> {
  const text = `select reference from payouts where asset <> 'IDR' and paid_at is not null
    order by paid_at, reference limit 1`;
  return (await run(db, text, [])).length > 0;
}
