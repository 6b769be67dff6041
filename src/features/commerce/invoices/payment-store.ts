import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';

export const INVOICE_METHODS = ['wallet'] as const;
export const INVOICE_PAYMENT_STATUSES = ['SUCCEEDED'] as const;

export type InvoicePayment = Omit<Row<'invoice_payments'>, 'status' | 'currency' | 'method'> & {
  readonly status: (typeof INVOICE_PAYMENT_STATUSES)[number];
  readonly currency: Fiat;
  readonly method: (typeof INVOICE_METHODS)[number];
  /** The invoice, as callers name it. */
  readonly invoice: string;
};
/** With what its caller calls it. */
export type NamedInvoicePayment = InvoicePayment & { readonly names: ObjectNames };

export type NewInvoicePayment = Pick<
  InvoicePayment,
  | ('payment_id' | 'object_id' | 'operation' | 'invoice_id' | 'client_id' | 'user_id')
  | ('payer_user_id' | 'payer_wallet_id' | 'payer_account_id' | 'method' | 'currency')
  | ('amount' | 'fee' | 'net' | 'fee_terms')
>;

const NEW = [
  ...['payment_id', 'object_id', 'operation', 'invoice_id', 'client_id', 'user_id'],
  ...['payer_user_id', 'payer_wallet_id', 'payer_account_id', 'method', 'currency'],
  ...['amount', 'fee', 'net', 'fee_terms'],
].join();
const OF_INVOICE = `*, (select object_id from invoices i where i.invoice_id = invoice_payments.invoice_id) as invoice`;

/** Of one invoice, the earliest. */
const SHOWN_MAX = 100;

/** Undefined where the same request has made it before. */
export async function insertInvoicePayment(
  tx: Db,
  payment: NewInvoicePayment,
): Promise<InvoicePayment | undefined> {
  const [row] = await run<InvoicePayment>(
    tx,
    `insert into invoice_payments (${NEW}, status, status_times)
     select ${NEW}, 'SUCCEEDED', ${firstStatusTimes('SUCCEEDED')}
       from json_populate_record(null::invoice_payments, $1::json)
     on conflict (operation) do nothing returning ${OF_INVOICE}`,
    [
      JSON.stringify(payment, (_, one: unknown) =>
        typeof one === 'bigint' ? one.toString() : one,
      ),
    ],
  );
  return row;
}

const moves = stateMovesOf<Row<'invoice_payments'>>('invoice_payments');

/** Counts what is given back of it; undefined where it has changed since it was read. */
export async function countPaymentRefund(
  tx: Db,
  { payment_id, refunded, invoice }: InvoicePayment,
  amount: bigint,
): Promise<InvoicePayment | undefined> {
  const filter = { payment_id, refunded };
  const row = await moves.tryEdit(tx, filter, { refunded: refunded + amount });
  return row && ({ ...row, invoice } as InvoicePayment);
}

/** The earliest first. */
export const paymentsOfInvoices = (
  db: Db,
  invoices: readonly string[],
): Promise<InvoicePayment[]> =>
  run(
    db,
    `select p.* from unnest($1::uuid[]) i (id) cross join lateral (
       select ${OF_INVOICE} from invoice_payments where invoice_id = i.id order by serial limit ${SHOWN_MAX}) p`,
    [invoices],
  );

export async function invoicePaymentOfOperation(
  db: Db,
  operation: string,
): Promise<InvoicePayment | undefined> {
  const text = `select ${OF_INVOICE} from invoice_payments where operation = $1`;
  return (await run<InvoicePayment>(db, text, [operation]))[0];
}
