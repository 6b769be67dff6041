import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes } from '#kernel/db/state-moves.ts';
import { type NamesReader, namesOf } from '#kernel/object-names/object-names.ts';

export const INVOICE_REFUND_STATUSES = ['SUCCEEDED'] as const;

export type InvoiceRefund = Omit<Row<'invoice_refunds'>, 'status' | 'currency'> & {
  readonly status: (typeof INVOICE_REFUND_STATUSES)[number];
  readonly currency: Fiat;
  /** The invoice and its payment, as callers name them. */
  readonly invoice: string;
  readonly payment: string;
};

export type NewInvoiceRefund = Pick<
  InvoiceRefund,
  | ('refund_id' | 'object_id' | 'operation' | 'invoice_id' | 'payment_id' | 'client_id')
  | ('user_id' | 'currency' | 'amount' | 'reason')
>;

const NEW = [
  ...['refund_id', 'object_id', 'operation', 'invoice_id', 'payment_id', 'client_id', 'user_id'],
  ...['currency', 'amount', 'reason'],
].join();
const SHOWN = `*, (select object_id from invoices i where i.invoice_id = invoice_refunds.invoice_id) as invoice,
  (select object_id from invoice_payments p where p.payment_id = invoice_refunds.payment_id) as payment`;

/** Undefined where the same request has made it before. */
export async function insertInvoiceRefund(
  tx: Db,
  refund: NewInvoiceRefund,
): Promise<InvoiceRefund | undefined> {
  const [row] = await run<InvoiceRefund>(
    tx,
    `insert into invoice_refunds (${NEW}, status, status_times)
     select ${NEW}, 'SUCCEEDED', ${firstStatusTimes('SUCCEEDED')}
       from json_populate_record(null::invoice_refunds, $1::json)
     on conflict (operation) do nothing returning ${SHOWN}`,
    [JSON.stringify({ ...refund, amount: refund.amount.toString() })],
  );
  return row;
}

export async function invoiceRefundOfOperation(
  db: Db,
  operation: string,
): Promise<InvoiceRefund | undefined> {
  const text = `select ${SHOWN} from invoice_refunds where operation = $1`;
  return (await run<InvoiceRefund>(db, text, [operation]))[0];
}

export interface RefundFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

interface RefundsWanted {
  readonly reader: NamesReader;
  readonly filters: RefundFilters;
  readonly place: { readonly limit: number; readonly before: number | undefined };
}

/** How many refunds a page looks through for those that fit its filters. */
const LOOKED_THROUGH = 1000;

/** Of an invoice, newest first; of a thousand, those that fit, and how far it has looked where they fill no page. */
export async function refundsOfInvoice(
  db: Db,
  invoice_id: string,
  { reader, filters, place: { limit, before } }: RefundsWanted,
): Promise<{ readonly rows: InvoiceRefund[]; readonly looked: number | undefined }> {
  const { status, reference, created_from, created_to } = filters;
  const text = `select ${SHOWN} from invoice_refunds where invoice_id = $1 and serial < $2
    order by serial desc limit ${LOOKED_THROUGH}`;
  const seen = await run<InvoiceRefund>(db, text, [invoice_id, before ?? Number.MAX_SAFE_INTEGER]);
  const ids = seen.map(({ object_id }) => object_id);
  const names = reference === undefined ? undefined : await namesOf(db, 'refund', ids, reader);
  const rows = seen.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (created_from === undefined || row.created_at >= created_from) &&
      (created_to === undefined || row.created_at <= created_to) &&
      (names === undefined || names.get(row.object_id)?.reference === reference),
  );
  const isMore = seen.length === LOOKED_THROUGH && rows.length < limit;
  return { rows: rows.slice(0, limit), looked: isMore ? seen.at(-1)?.serial : undefined };
}
