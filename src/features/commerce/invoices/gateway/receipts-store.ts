import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { BookLine, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { PaymentReceipt } from '#providers/gateway/port.ts';
import type { InvoicePayment } from '../payment-store.ts';

/** False where it is booked already. */
export async function insertReceipt(
  tx: Db,
  { payment_id, client_id }: Pick<InvoicePayment, 'payment_id' | 'client_id'>,
  { id, line, units, at }: PaymentReceipt,
): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into invoice_receipts (payment_id, client_id, receipt, line, units, received_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning serial`,
    [payment_id, client_id, id, line, units.toString(), at.toISOString()],
  );
  return rows.length > 0;
}

/** Of those lines, the references whose money is not booked. */
export async function unbookedReferences(
  db: Db,
  lines: readonly Pick<BookLine, 'line' | 'reference'>[],
): Promise<string[]> {
  const rows = await run<{ readonly reference: string }>(
    db,
    `select distinct l.reference from unnest($1::text[], $2::text[]) l (reference, line)
     join invoice_payments p on p.object_id = l.reference
     where not exists (select from invoice_receipts r where r.payment_id = p.payment_id and r.line = l.line)`,
    [lines.map(({ reference }) => reference), lines.map(({ line }) => line)],
  );
  return rows.map(({ reference }) => reference);
}

type BookedLine = Row<'invoice_receipts', 'serial' | 'line' | 'units' | 'client_id'> & {
  readonly reference: string;
  readonly at: string;
  /** Where the next page begins. */
  readonly place: string;
};

/** Booked in that window, from the one after `after` on. */
export function bookedReceipts(
  db: Db,
  { from, to }: BookWindow,
  after: string | undefined,
  limit: number,
): Promise<BookedLine[]> {
  const [at = from.toISOString(), serial = '0'] = after?.split('|') ?? [];
  return run(
    db,
    `select r.serial, r.line, r.units, r.client_id, r.booked_at as at, p.object_id as reference,
       to_char(r.booked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '|' || r.serial as place
     from invoice_receipts r join invoice_payments p using (payment_id)
     where r.booked_at < $2 and (r.booked_at, r.serial) > ($1::timestamptz, $3::bigint)
     order by r.booked_at, r.serial limit $4`,
    [at, to.toISOString(), serial, limit],
  );
}
