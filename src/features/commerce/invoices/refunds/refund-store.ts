import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import { type NamesReader, namesOf } from '#kernel/object-names/object-names.ts';

export const INVOICE_REFUND_STATUSES = [
  ...(['PENDING', 'AWAITING_PAYER', 'SUCCEEDED', 'FAILED'] as const),
] as const;
export type InvoiceRefundStatus = (typeof INVOICE_REFUND_STATUSES)[number];
/** Back to the wallet or card that has paid, or to an account at a bank. */
export const INVOICE_REFUND_WAYS = ['wallet', 'bank', 'card'] as const;

type RefundRow = Omit<Row<'invoice_refunds'>, 'status' | 'currency' | 'way'> & {
  readonly status: InvoiceRefundStatus;
  readonly currency: Fiat;
  readonly way: (typeof INVOICE_REFUND_WAYS)[number];
};

/** What is given back of a payment or, with `unmatched_id`, of money that pays no invoice. */
export type InvoiceRefund = RefundRow & {
  /** The invoice and its payment, as callers name them. */
  readonly invoice: string;
  readonly payment: string;
};

export type NewInvoiceRefund = Pick<
  InvoiceRefund,
  | ('refund_id' | 'object_id' | 'operation' | 'invoice_id' | 'payment_id' | 'client_id')
  | ('user_id' | 'currency' | 'amount' | 'reason' | 'status' | 'way')
> &
  Partial<
    Pick<
      InvoiceRefund,
      | ('unmatched_id' | 'recipient_id' | 'sealed_payee' | 'payee_name' | 'payee_detail')
      | ('claim_digest' | 'claim_expires_at')
    >
  >;

const NEW = [
  ...(['refund_id', 'object_id', 'operation', 'invoice_id', 'payment_id', 'client_id'] as const),
  ...(['user_id', 'currency', 'amount', 'reason', 'status', 'way', 'unmatched_id'] as const),
  ...(['recipient_id', 'sealed_payee', 'payee_name', 'payee_detail', 'claim_digest'] as const),
  'claim_expires_at',
] as const;
const SHOWN = `*, (select object_id from invoices i where i.invoice_id = invoice_refunds.invoice_id) as invoice,
  (select object_id from invoice_payments p where p.payment_id = invoice_refunds.payment_id) as payment`;

/** Undefined where the same request has made it before. */
export async function insertInvoiceRefund(
  tx: Db,
  refund: NewInvoiceRefund,
): Promise<InvoiceRefund | undefined> {
  const [row] = await run<InvoiceRefund>(
    tx,
    `insert into invoice_refunds (${NEW.join()}, status_times)
     values (${NEW.map((_, n) => `$${n + 1}`).join()}, ${firstStatusTimes(refund.status)})
     on conflict (operation) do nothing returning ${SHOWN}`,
    NEW.map((column) => refund[column] ?? null),
  );
  return row;
}

const moves = stateMovesOf<RefundRow>('invoice_refunds');
type Changes = Parameters<typeof moves.tryEdit>[2];

interface Move {
  readonly from: InvoiceRefundStatus;
  readonly to: InvoiceRefundStatus;
}

/** Moves one that is in that status; undefined where it is not any more. */
export async function moveInvoiceRefund(
  tx: Db,
  { object_id, invoice, payment }: Pick<InvoiceRefund, 'object_id' | 'invoice' | 'payment'>,
  { from, to }: Move,
  changes: Changes = {},
): Promise<InvoiceRefund | undefined> {
  const row = await moves.tryMove(tx, { object_id, status: from }, to, changes);
  return row && { ...row, invoice, payment };
}

/** Keeps the bank's own number of the transfer. */
export const recordRefundReference = (tx: Db, object_id: string, provider_reference: string) =>
  moves.tryEdit(tx, { object_id, status: 'PENDING' }, { provider_reference });

const one = async (db: Db, where: string, value: unknown): Promise<InvoiceRefund | undefined> =>
  (
    await run<InvoiceRefund>(db, `select ${SHOWN} from invoice_refunds where ${where} = $1`, [
      value,
    ])
  )[0];

export const invoiceRefundOfOperation = (
  db: Db,
  operation: string,
): Promise<InvoiceRefund | undefined> => one(db, 'operation', operation);

/** By the digest of its link. */
export const invoiceRefundOfClaim = (db: Db, digest: Buffer): Promise<InvoiceRefund | undefined> =>
  one(db, 'claim_digest', digest);

/** By its id, as the bank's side knows it. */
export async function requireInvoiceRefund(db: Db, reference: string): Promise<InvoiceRefund> {
  const found = await one(db, 'object_id', reference);
  if (!found) throw new Error(`There is no refund ${reference}`);
  return found;
}

/** Those that were not claimed in time, a batch of their ids. */
export async function unclaimedRefunds(db: Db, limit: number): Promise<string[]> {
  const text = `select object_id from invoice_refunds
    where status = 'AWAITING_PAYER' and claim_expires_at <= service_now() order by claim_expires_at limit $1`;
  const rows = await run<Pick<InvoiceRefund, 'object_id'>>(db, text, [limit]);
  return rows.map(({ object_id }) => object_id);
}

/** Those of a payment whose payer has not brought the card yet, by their ids. */
export async function waitingCardRefunds(tx: Db, payment_id: string): Promise<string[]> {
  const text = `select object_id from invoice_refunds
    where payment_id = $1 and way = 'card' and status = 'AWAITING_PAYER' order by serial`;
  const rows = await run<Pick<InvoiceRefund, 'object_id'>>(tx, text, [payment_id]);
  return rows.map(({ object_id }) => object_id);
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
  const text = `select ${SHOWN} from invoice_refunds
    where invoice_id = $1 and serial < $2 and unmatched_id is null
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
