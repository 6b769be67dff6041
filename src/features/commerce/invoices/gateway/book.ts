import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { PaymentReceipt } from '#providers/gateway/port.ts';
import { countedOf } from '../charge.ts';
import type { TryingDeps } from '../deps.ts';
import { emitNamedPayment } from '../events.ts';
import { countPaid, followTries, withPayment } from '../paid.ts';
import {
  type InvoicePayment,
  movePayment,
  requireInvoicePayment,
  TRYING,
} from '../payment-store.ts';
import { invoiceHouse, invoicePart, invoicePayment, type MoneySource } from '../postings.ts';
import { lockInvoice, type MerchantInvoice } from '../store.ts';
import { unmatchMoney } from '../unmatched/book.ts';
import type { InvoiceUnmatchedReason } from '../unmatched/store.ts';
import { insertReceipt } from './receipts-store.ts';

type BookingDeps = Pick<TryingDeps, 'clock' | 'jobs' | 'closing' | 'log'>;

interface Books {
  readonly invoice: MerchantInvoice;
  readonly operations: readonly Operation[];
}

/**
 * Books money that has come in for a try, each receipt once: it pays the invoice or a part of it where the try is open,
 * and is owed to its payer otherwise. Returns how many are new. Posts.
 */
export async function bookInvoiceMoney(
  deps: BookingDeps,
  tx: Db,
  reference: string,
  receipts: readonly PaymentReceipt[],
): Promise<number> {
  if (receipts.length === 0) return 0;
  const { invoice_id } = await requireInvoicePayment(tx, reference);
  let invoice = await lockInvoice(tx, {}, invoice_id);
  const operations: Operation[] = [];
  let booked = 0;
  for (const receipt of receipts) {
    const payment = await requireInvoicePayment(tx, reference);
    if (!invoice || !(await insertReceipt(tx, payment, receipt))) continue;
    const from = { account: await invoiceHouse(tx, 'gateway', invoice.currency) };
    const one = await bookArrival(deps, tx, { invoice, payment, receipt, from });
    invoice = one.invoice;
    operations.push(...one.operations);
    booked += 1;
  }
  await postAllWithin(tx, operations);
  return booked;
}

interface Received {
  readonly invoice: MerchantInvoice;
  readonly payment: InvoicePayment;
  readonly receipt: Pick<PaymentReceipt, 'id' | 'units'>;
  readonly from: MoneySource;
}

/** What has come in for a try of a locked invoice, and its postings. */
export async function bookArrival(deps: BookingDeps, tx: Db, received: Received): Promise<Books> {
  const { invoice, payment, receipt, from } = received;
  const stray = { payment, receipt: receipt.id, from };
  const isOpen = (TRYING as readonly string[]).includes(payment.status);
  const reason = isOpen ? endedReason(invoice) : invoice.status === 'PAID' ? 'DUPLICATE' : 'LATE';
  const counted = countedOf(invoice, payment, receipt.units);
  const isShort = receipt.units < payment.amount && counted.surplus === 0n;
  const why =
    reason ?? ((isShort && !invoice.allow_partial) || counted.credited === 0n ? 'UNDERPAID' : null);
  if (why !== null) {
    const now = isOpen ? await failTry(deps, tx, received, why) : invoice;
    const money = { ...stray, amount: receipt.units, reason: why };
    return { invoice: now, operations: await unmatchMoney(deps, tx, now, money) };
  }
  const { amount, fee, net, credited, surplus } = counted;
  const change = { from: TRYING, to: 'SUCCEEDED' } as const;
  const arrived = await movePayment(tx, payment, change, { amount, fee, net });
  if (!arrived) throw new Error(`${payment.object_id} is not open`);
  await emitNamedPayment(tx, 'succeeded', arrived);
  const paid = await countPaid(deps, tx, invoice, { payment: arrived, credited });
  const posting = paid.status === 'PAID' ? invoicePayment : invoicePart;
  const operations = [await posting(tx, invoice, { payment: arrived, from })];
  if (surplus > 0n) {
    const money = { ...stray, amount: surplus, reason: 'OVERPAID' } as const;
    operations.push(...(await unmatchMoney(deps, tx, paid, money)));
  }
  return { invoice: paid, operations };
}

/** Why an invoice takes no money any more; null where it does. */
function endedReason({ status }: MerchantInvoice): InvoiceUnmatchedReason | null {
  if (status === 'PAID') return 'DUPLICATE';
  return status === 'EXPIRED' || status === 'CANCELLED' ? 'LATE' : null;
}

const WHY: Readonly<Record<InvoiceUnmatchedReason, string>> = {
  LATE: 'The invoice had ended before the money came',
  DUPLICATE: 'The invoice was paid before the money came',
  UNDERPAID: 'Less has come in than was asked for',
  OVERPAID: 'More has come in than was asked for',
};

async function failTry(
  { clock }: BookingDeps,
  tx: Db,
  { invoice, payment }: Received,
  reason: InvoiceUnmatchedReason,
): Promise<MerchantInvoice> {
  const at = clock.now().toISOString();
  const failure = { code: reason, message: WHY[reason], retryable: reason === 'UNDERPAID', at };
  const change = { from: TRYING, to: 'FAILED' } as const;
  const failed = await movePayment(tx, payment, change, { failure: JSON.stringify(failure) });
  if (!failed) throw new Error(`${payment.object_id} is not open`);
  await emitNamedPayment(tx, 'failed', failed);
  return followTries(tx, withPayment(invoice, failed));
}
