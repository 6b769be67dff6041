import { markRecipientPaid } from '#features/banking/recipients/recipients.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { emitNamedRefund } from '../events.ts';
import { refundPaid, refundRelease, refundReturned } from '../postings.ts';
import { lockInvoice, type MerchantInvoice } from '../store.ts';
import { countBack, paymentOfRefund } from './counts.ts';
import { type InvoiceRefund, moveInvoiceRefund, requireInvoiceRefund } from './refund-store.ts';
import { strayBack, strayKept, strayReturned } from './stray.ts';

type Clocked = Pick<Kernel, 'clock'>;
type RefundFailure = Omit<ObjectFailure, 'at'>;

const textOf = ({ clock }: Clocked, failure: RefundFailure): string =>
  JSON.stringify({ ...failure, at: clock.now().toISOString() });

/** The invoice first, as everywhere. */
async function lockedInvoice(tx: Db, { invoice_id }: InvoiceRefund): Promise<MerchantInvoice> {
  const invoice = await lockInvoice(tx, {}, invoice_id);
  if (!invoice) throw new Error(`There is no invoice ${invoice_id}`);
  return invoice;
}

/** The bank has the money. Posts. */
export async function completeInvoiceRefund(tx: Db, id: string): Promise<void> {
  const refund = await requireInvoiceRefund(tx, id);
  const invoice = await lockedInvoice(tx, refund);
  const row = await moveInvoiceRefund(tx, refund, { from: 'PENDING', to: 'SUCCEEDED' });
  if (!row) throw new Error(`${id} is not being paid`);
  if (row.unmatched_id !== null) {
    await postWithin(tx, await strayBack(tx, row));
    return;
  }
  const payment = paymentOfRefund(invoice, row.payment_id);
  if (row.recipient_id !== null) await markRecipientPaid(tx, row.recipient_id);
  await emitNamedRefund(tx, 'succeeded', row);
  await countBack(tx, invoice, payment, { refunded: row.amount, refunding: -row.amount });
  await postWithin(tx, await refundPaid(tx, invoice.account_id, row));
}

interface Failing {
  readonly from: 'PENDING' | 'AWAITING_PAYER';
  readonly failure: RefundFailure;
}

/** Ends one that does not go to a bank, and frees its money. Undefined where it is in another status by now. Posts. */
export async function failInvoiceRefund(
  deps: Clocked,
  tx: Db,
  id: string,
  { from, failure }: Failing,
): Promise<InvoiceRefund | undefined> {
  const refund = await requireInvoiceRefund(tx, id);
  const invoice = await lockedInvoice(tx, refund);
  const change = { failure: textOf(deps, failure) };
  const row = await moveInvoiceRefund(tx, refund, { from, to: 'FAILED' }, change);
  if (!row) return undefined;
  if (row.unmatched_id !== null) {
    await strayKept(tx, row);
    return row;
  }
  await giveBackLimits(tx, { operation: row.operation, kind: 'refund' });
  await emitNamedRefund(tx, 'failed', row);
  const payment = paymentOfRefund(invoice, row.payment_id);
  await countBack(tx, invoice, payment, { refunded: 0n, refunding: -row.amount });
  await postWithin(tx, refundRelease(invoice.account_id, row));
  return row;
}

const CODE_MAX = 100;

/** SUCCEEDED to FAILED, once: the bank has sent it back. Answers the postings. */
export async function returnInvoiceRefund(
  deps: Clocked,
  tx: Db,
  id: string,
  provider_code: string,
): Promise<readonly Operation[] | undefined> {
  const refund = await requireInvoiceRefund(tx, id);
  const invoice = await lockedInvoice(tx, refund);
  const failure = {
    code: 'RETURNED',
    message: 'The bank has sent it back',
    retryable: true,
    provider_code: provider_code.slice(0, CODE_MAX),
  };
  const change = { failure: textOf(deps, failure) };
  const row = await moveInvoiceRefund(tx, refund, { from: 'SUCCEEDED', to: 'FAILED' }, change);
  if (!row) return undefined;
  if (row.unmatched_id !== null) return [await strayReturned(tx, row)];
  await giveBackLimits(tx, { operation: row.operation, kind: 'refund' });
  await emitNamedRefund(tx, 'failed', row);
  const payment = paymentOfRefund(invoice, row.payment_id);
  await countBack(tx, invoice, payment, { refunded: -row.amount, refunding: 0n });
  return [await refundReturned(tx, invoice.account_id, row)];
}
