import type { Db } from '#kernel/db/db.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { TryingDeps } from './deps.ts';
import { emitInvoice } from './events.ts';
import { linkFreed, linkPaid } from './links/follow.ts';
import type { InvoicePayment } from './payment-store.ts';
import {
  type InvoiceStatus,
  type MerchantInvoice,
  moveInvoice,
  PAYABLE_STATUSES,
} from './store.ts';
import { unmatchParts } from './unmatched/book.ts';

type PaidDeps = Pick<TryingDeps, 'clock' | 'jobs' | 'closing' | 'log'>;

const UNPAID = ['OPEN', 'PROCESSING', 'PARTIALLY_PAID'] as const satisfies InvoiceStatus[];

/** Throws INVALID_STATUS where it cannot be paid, or its time is over. */
export function requireOpenInvoice(
  now: Date,
  { status, expires_at }: Pick<MerchantInvoice, 'status' | 'expires_at'>,
): void {
  if (!isPayable(status)) throw notAllowedIn(status, PAYABLE_STATUSES);
  if (expires_at <= now.toISOString()) throw notAllowedIn('EXPIRED', PAYABLE_STATUSES);
}

const isPayable = (status: InvoiceStatus): boolean =>
  (PAYABLE_STATUSES as readonly InvoiceStatus[]).includes(status);

interface Credit {
  /** As it has arrived. */
  readonly payment: InvoicePayment;
  /** Of what the invoice asks for. */
  readonly credited: bigint;
}

/** Counts what has arrived. What else is tried for an invoice that is paid by it is ended. */
export async function countPaid(
  deps: PaidDeps,
  tx: Db,
  before: MerchantInvoice,
  { payment, credited }: Credit,
): Promise<MerchantInvoice> {
  const invoice = withPayment(before, payment);
  const paid = invoice.paid + credited;
  const isPaid = paid === invoice.amount;
  const to = isPaid ? 'PAID' : unpaidStatus({ ...invoice, paid });
  const paid_at = isPaid ? deps.clock.now().toISOString() : null;
  const row = await moveInvoice(tx, invoice, { from: UNPAID, to }, { paid, paid_at });
  if (!row) throw new Error(`Invoice ${invoice.object_id} is not open`);
  const counted = { ...invoice, ...row };
  if (isPaid) {
    await endTries(deps, tx, counted);
    await linkPaid(tx, counted);
  }
  emitInvoice(tx, isPaid ? 'paid' : 'partially_paid', counted);
  return counted;
}

/** The invoice with a payment as it is now. */
export const withPayment = (
  invoice: MerchantInvoice,
  payment: InvoicePayment,
): MerchantInvoice => ({
  ...invoice,
  payments: [
    ...invoice.payments.filter(({ object_id }) => object_id !== payment.object_id),
    payment,
  ],
});

/** In which status an unpaid invoice is by its payments. */
function unpaidStatus({ payments, paid }: Pick<MerchantInvoice, 'payments' | 'paid'>) {
  if (payments.some(({ status }) => status === 'PENDING')) return 'PROCESSING';
  return paid > 0n ? 'PARTIALLY_PAID' : 'OPEN';
}

/** Follows its payments while it is not paid: PROCESSING while the payer of one has acted. */
export async function followTries(tx: Db, invoice: MerchantInvoice): Promise<MerchantInvoice> {
  const to = unpaidStatus(invoice);
  if (to === invoice.status || !(UNPAID as readonly InvoiceStatus[]).includes(invoice.status))
    return invoice;
  const row = await moveInvoice(tx, invoice, { from: UNPAID, to });
  return { ...invoice, ...row };
}

/**
 * Ends an invoice that is not paid; undefined where it is in another status by now. Parts of it are owed to their
 * payers. Answers the postings of that.
 */
export async function endUnpaid(
  deps: PaidDeps,
  tx: Db,
  invoice: MerchantInvoice,
  to: 'EXPIRED' | 'CANCELLED',
): Promise<{ readonly invoice: MerchantInvoice; readonly operations: Operation[] } | undefined> {
  const row = await moveInvoice(tx, invoice, { from: PAYABLE_STATUSES, to }, { paid: 0n });
  if (!row) return undefined;
  const ended = { ...invoice, ...row };
  await endTries(deps, tx, ended);
  await linkFreed(tx, ended);
  emitInvoice(tx, to === 'EXPIRED' ? 'expired' : 'cancelled', ended);
  return { invoice: ended, operations: await unmatchParts(deps, tx, ended) };
}

async function endTries({ jobs, closing }: PaidDeps, tx: Db, invoice: MerchantInvoice) {
  const isTried = invoice.payments.some(({ status }) => isOpenTry(status));
  if (isTried) await jobs.enqueue(tx, closing, { invoice_id: invoice.invoice_id });
}

const isOpenTry = (status: InvoicePayment['status']): boolean =>
  status === 'REQUIRES_ACTION' || status === 'PENDING';
