import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';

/** Ways to pay by the gateway. */
export const GATEWAY_METHODS = ['qris', 'va', 'ewallet'] as const;
export type GatewayMethod = (typeof GATEWAY_METHODS)[number];
export const INVOICE_METHODS = [...GATEWAY_METHODS, 'card', 'wallet'] as const;
export type InvoiceMethod = (typeof INVOICE_METHODS)[number];

export const isGatewayMethod = (method: string): method is GatewayMethod =>
  (GATEWAY_METHODS as readonly string[]).includes(method);

export const INVOICE_PAYMENT_STATUSES = [
  ...(['REQUIRES_ACTION', 'PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const),
  'DISPUTED',
] as const;
export type InvoicePaymentStatus = (typeof INVOICE_PAYMENT_STATUSES)[number];
/** Its money may still come. */
export const TRYING = ['REQUIRES_ACTION', 'PENDING'] as const satisfies InvoicePaymentStatus[];

/** A virtual account to which a payment is transferred. */
export interface InvoiceAccount {
  readonly bank_code: string;
  readonly account_number: string;
  readonly account_name: string;
}

type PaymentRow = Omit<Row<'invoice_payments'>, 'status' | 'currency' | 'method' | 'accounts'> & {
  readonly accounts: readonly InvoiceAccount[] | null;
  readonly status: InvoicePaymentStatus;
  readonly currency: Fiat;
  readonly method: InvoiceMethod;
};
export type InvoicePayment = PaymentRow & {
  /** The invoice, as callers name it. */
  readonly invoice: string;
};
/** With what its caller calls it. */
export type NamedInvoicePayment = InvoicePayment & { readonly names: ObjectNames };

export type NewInvoicePayment = Pick<
  InvoicePayment,
  | ('payment_id' | 'object_id' | 'operation' | 'invoice_id' | 'client_id' | 'user_id')
  | ('method' | 'currency' | 'amount' | 'fee' | 'net' | 'fee_terms' | 'status')
> &
  Partial<
    Pick<
      InvoicePayment,
      'payer_user_id' | 'payer_wallet_id' | 'payer_account_id' | 'expires_at' | 'provider_reference'
    >
  >;

const NEW = [
  ...['payment_id', 'object_id', 'operation', 'invoice_id', 'client_id', 'user_id'],
  ...['payer_user_id', 'payer_wallet_id', 'payer_account_id', 'method', 'currency'],
  ...['amount', 'fee', 'net', 'fee_terms', 'status', 'expires_at', 'provider_reference'],
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
    `insert into invoice_payments (${NEW}, status_times)
     select ${NEW}, ${firstStatusTimes(payment.status)}
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

const moves = stateMovesOf<PaymentRow>('invoice_payments');
type Changes = Parameters<typeof moves.tryEdit>[2];

/** Moves one that is in one of these statuses; undefined where it is not any more. */
export async function movePayment(
  tx: Db,
  { object_id, invoice }: Pick<InvoicePayment, 'object_id' | 'invoice'>,
  { from, to }: { from: readonly InvoicePaymentStatus[]; to: InvoicePaymentStatus },
  changes: Changes = {},
): Promise<InvoicePayment | undefined> {
  const row = await moves.tryMove(tx, { object_id, status: from }, to, changes);
  return row && { ...row, invoice };
}

/** Keeps where it is paid; undefined where it has ended. */
export const recordAction = (
  tx: Db,
  object_id: string,
  { accounts, ...changes }: Pick<InvoicePayment, 'provider_reference' | 'payment_url' | 'accounts'>,
): Promise<PaymentRow | undefined> =>
  moves.tryEdit(tx, { object_id, status: TRYING }, { ...changes, accounts: asJson(accounts) });

/** The driver would write a list as an array of the database. */
const asJson = (value: unknown) => (value === null ? null : (JSON.stringify(value) as never));

/** Keeps what the card network has taken back of it, in the status that follows; undefined where it has changed meanwhile. */
export async function recordDispute(
  tx: Db,
  { object_id, invoice, status, disputed: before }: InvoicePayment,
  disputed: bigint,
): Promise<InvoicePayment | undefined> {
  const to = disputedStatus(status, disputed);
  const filter = { object_id, status, disputed: before };
  const row =
    to === status
      ? await moves.tryEdit(tx, filter, { disputed })
      : await moves.tryMove(tx, filter, to, { disputed });
  return row && { ...row, invoice };
}

/** Only what has arrived can be disputed. */
function disputedStatus(status: InvoicePaymentStatus, disputed: bigint): InvoicePaymentStatus {
  if (status !== 'SUCCEEDED' && status !== 'DISPUTED') return status;
  return disputed > 0n ? 'DISPUTED' : 'SUCCEEDED';
}

/** Counts what is given back of it, or is on its way back; undefined where it has changed since it was read. */
export async function countPaymentRefund(
  tx: Db,
  { payment_id, refunded, refunding, invoice }: InvoicePayment,
  change: Pick<InvoicePayment, 'refunded' | 'refunding'>,
): Promise<InvoicePayment | undefined> {
  const filter = { payment_id, refunded, refunding };
  const row = await moves.tryEdit(tx, filter, {
    refunded: refunded + change.refunded,
    refunding: refunding + change.refunding,
  });
  return row && { ...row, invoice };
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

const one = async (db: Db, where: string, values: readonly unknown[]) =>
  (
    await run<InvoicePayment>(
      db,
      `select ${OF_INVOICE} from invoice_payments where ${where}`,
      values,
    )
  )[0];

export const invoicePaymentOfOperation = (
  db: Db,
  operation: string,
): Promise<InvoicePayment | undefined> => one(db, 'operation = $1', [operation]);

/** By its id, as the gateway knows it. */
export const paymentOfReference = (
  db: Db,
  reference: string,
): Promise<InvoicePayment | undefined> => one(db, 'object_id = $1', [reference]);

export async function requireInvoicePayment(db: Db, reference: string): Promise<InvoicePayment> {
  const found = await paymentOfReference(db, reference);
  if (!found) throw new Error(`There is no payment ${reference}`);
  return found;
}

/** Nothing where none of that id is within the caller's reach. */
export const findInvoicePayment = (
  db: Db,
  { client_id, user_id }: TenantScope,
  payment_id: string,
): Promise<InvoicePayment | undefined> =>
  one(
    db,
    `payment_id = $1 and ($2::integer is null or client_id = $2)
     and ($3::integer is null or user_id = $3 or payer_user_id = $3)`,
    [payment_id, client_id ?? null, user_id ?? null],
  );

/** The tries of an invoice by the gateway that may still be paid, by their ids. */
export async function openTries(db: Db, invoice_id: string): Promise<string[]> {
  const text = `select object_id from invoice_payments
    where invoice_id = $1 and status in ('REQUIRES_ACTION', 'PENDING') and method = any($2) order by serial`;
  const rows = await run<Pick<InvoicePayment, 'object_id'>>(db, text, [
    invoice_id,
    GATEWAY_METHODS,
  ]);
  return rows.map(({ object_id }) => object_id);
}
