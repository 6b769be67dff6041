import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import type { PaymentReceipt } from '#providers/gateway/port.ts';
import type { IdrTokenReason } from './store.ts';

/** Records which payment of the gateway pays a purchase, once. */
export const recordPayer = (
  tx: Db,
  mint_id: number,
  { id, line }: PaymentReceipt,
): Promise<unknown> =>
  run(
    tx,
    `update idr_mints set paid_receipt = $2, paid_line = $3
     where mint_id = $1 and paid_receipt is null and given_payment_id is null`,
    [mint_id, id, line],
  );

/** The note for the owner about a payment that does not pay the purchase. */
export const setPaymentNote = (
  tx: Db,
  mint_id: number,
  note: IdrTokenReason | 'REFUNDED' | null,
): Promise<unknown> =>
  run(tx, 'update idr_mints set payment_note = $2 where mint_id = $1', [mint_id, note]);

/**
 * The unbooked payments for purchases among those lines of the statement, by name, and whether each pays its purchase.
 * A purchase that is paid without a known line may be paid by any: `isKnown` counts that line as unbooked.
 */
export async function unbookedLines(
  db: Db,
  lines: readonly Pick<BookLine, 'line' | 'reference' | 'units'>[],
  { isKnown = false }: { readonly isKnown?: boolean } = {},
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await run<Row<'idr_unmatched_payments', 'line'> & { readonly fits: boolean }>(
    db,
    `select l.line, m.status = 'PENDING' and l.units = m.total_amount_idr as fits
     from unnest($1::text[], $2::text[], $4::numeric[]) l (reference, line, units)
     join idr_mints m on m.reference_id = l.reference
     where (m.paid_at is null or m.paid_line <> l.line or ($3 and m.paid_line is null)
         or m.given_payment_id is not null)
       and not exists (select from idr_unmatched_payments u
                       where u.mint_id = m.mint_id and u.line = l.line)`,
    [
      lines.map(({ reference }) => reference),
      lines.map(({ line }) => line),
      isKnown,
      lines.map(({ units }) => units.toString()),
    ],
  );
  return new Map(rows.map(({ line, fits }) => [line, fits]));
}

/** A line of our books beside the gateway's statement. */
export interface PaymentLine
  extends Row<'idr_mints', 'reference_id' | 'client_id'>,
    Row<'idr_unmatched_payments', 'line' | 'units'> {
  readonly at: string;
  /** Where the next page begins. */
  readonly place: string;
}

/** Payments of purchases first, then unmatched ones. */
const PLACE = (source: 0 | 1, at: string, id: string) =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|${source}|' || ${id}`;

/** Lines booked before `to`, from the one after `after` on. */
export function paymentLines(
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: string | undefined,
  limit: number,
): Promise<PaymentLine[]> {
  const [at = from.toISOString(), source = '0', id = '0'] = after?.split('|') ?? [];
  return run<PaymentLine>(
    db,
    `(select m.reference_id, m.client_id, m.reference_id as line, m.paid_amount_idr as units,
        m.paid_at as at, ${PLACE(0, 'm.paid_at', 'm.mint_id')} as place, 0 as source, m.mint_id as id
      from idr_mints m
      where m.given_payment_id is null and m.paid_at >= $1 and m.paid_at < $2
        and (m.paid_at, 0, m.mint_id) > ($1::timestamptz, $3::integer, $4::integer)
      order by m.paid_at, m.mint_id limit $5)
     union all
     (select m.reference_id, u.client_id, m.reference_id || ' ' || u.receipt, u.units,
        u.booked_at, ${PLACE(1, 'u.booked_at', 'u.payment_id')}, 1, u.payment_id
      from idr_unmatched_payments u join idr_mints m on m.mint_id = u.mint_id
      where u.booked_at >= $1 and u.booked_at < $2
        and (u.booked_at, 1, u.payment_id) > ($1::timestamptz, $3::integer, $4::integer)
      order by u.booked_at, u.payment_id limit $5)
     order by at, source, id limit $5`,
    [at, to.toISOString(), Number(source), Number(id), limit],
  );
}
