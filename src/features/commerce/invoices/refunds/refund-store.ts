import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes } from '#kernel/db/state-moves.ts';

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

/** Newest first. */
export const refundsOfInvoice = (
  db: Db,
  invoice_id: string,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<InvoiceRefund[]> =>
  run(
    db,
    `select ${SHOWN} from invoice_refunds where invoice_id = $1 and serial < $2 order by serial desc limit $3`,
    [invoice_id, before ?? Number.MAX_SAFE_INTEGER, limit],
  );
