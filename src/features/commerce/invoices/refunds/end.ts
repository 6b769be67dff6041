import { markRecipientPaid } from '#features/banking/recipients/recipients.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin, postWithin } from '#kernel/ledger/post.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { emitNamedRefund } from '../events.ts';
import type { InvoicePayment } from '../payment-store.ts';
import {
  feeGivenBack,
  refundPaid,
  refundRelease,
  refundReturned,
  strayFreed,
} from '../postings.ts';
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

/** The bank or the card has the money. Posts. */
export async function completeInvoiceRefund(tx: Db, id: string): Promise<void> {
  const refund = await requireInvoiceRefund(tx, id);
  const invoice = await lockedInvoice(tx, refund);
  const row = await moveInvoiceRefund(tx, refund, { from: 'PENDING', to: 'SUCCEEDED' });
  if (!row) throw new Error(`${id} is not being paid`);
  const isByCard = row.way === 'card';
  if (row.unmatched_id !== null) {
    const posting = await strayBack(tx, row);
    // What goes back to a card was posted with the answer of its network.
    if (!isByCard) await postWithin(tx, posting);
    return;
  }
  const payment = paymentOfRefund(invoice, row.payment_id);
  if (row.recipient_id !== null) await markRecipientPaid(tx, row.recipient_id);
  await emitNamedRefund(tx, 'succeeded', row);
  await countBack(tx, invoice, payment, { refunded: row.amount, refunding: -row.amount });
  const posting = isByCard
    ? await feeGivenBack(tx, invoice, row, feeShareOf(invoice, payment, row.amount))
    : await refundPaid(tx, invoice.account_id, row);
  if (posting) await postWithin(tx, posting);
}

/** A card's merchant gets the share of the fee again, rounded down, as a top-up's owner does. */
const feeShareOf = (
  { fee_bearer }: MerchantInvoice,
  { amount, fee }: InvoicePayment,
  refunded: bigint,
): bigint => (fee_bearer === 'merchant' ? (fee * refunded) / amount : 0n);

interface Failing {
  readonly from: 'PENDING' | 'AWAITING_PAYER';
  readonly failure: RefundFailure;
}

/** Ends one that does not go back, and frees its money. Undefined where it is in another status by now. Posts. */
export async function failInvoiceRefund(
  deps: Clocked,
  tx: Db,
  id: string,
  failing: Failing,
): Promise<InvoiceRefund | undefined> {
  const failed = await failInvoiceRefundWithin(deps, tx, id, failing);
  if (failed) await postAllWithin(tx, failed.operations);
  return failed?.refund;
}

/** The same without posting: answers what is to be posted. */
export async function failInvoiceRefundWithin(
  deps: Clocked,
  tx: Db,
  id: string,
  { from, failure }: Failing,
): Promise<{ refund: InvoiceRefund; operations: Operation[] } | undefined> {
  const refund = await requireInvoiceRefund(tx, id);
  const invoice = await lockedInvoice(tx, refund);
  const change = { failure: textOf(deps, failure) };
  const row = await moveInvoiceRefund(tx, refund, { from, to: 'FAILED' }, change);
  if (!row) return undefined;
  if (row.unmatched_id !== null) {
    await strayKept(tx, row);
    const isHeld = row.way === 'card' && from === 'PENDING';
    const operations = isHeld ? [await strayFreed(tx, invoice.account_id, row)] : [];
    return { refund: row, operations };
  }
  await giveBackLimits(tx, { operation: row.operation, kind: 'refund' });
  await emitNamedRefund(tx, 'failed', row);
  const payment = paymentOfRefund(invoice, row.payment_id);
  await countBack(tx, invoice, payment, { refunded: 0n, refunding: -row.amount });
  return { refund: row, operations: [refundRelease(invoice.account_id, row)] };
}

const CODE_MAX = 100;

/** SUCCEEDED to FAILED, once: the bank or the card network has sent it back. Answers the postings. */
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
    message: 'It was sent back',
    retryable: true,
    provider_code: provider_code.slice(0, CODE_MAX),
  };
  const change = { failure: textOf(deps, failure) };
  const row = await moveInvoiceRefund(tx, refund, { from: 'SUCCEEDED', to: 'FAILED' }, change);
  if (!row) return undefined;
  // The postings of what goes to a card are its network's.
  const isByCard = row.way === 'card';
  if (row.unmatched_id !== null) return isByCard ? [] : [await strayReturned(tx, row)];
  await giveBackLimits(tx, { operation: row.operation, kind: 'refund' });
  await emitNamedRefund(tx, 'failed', row);
  const payment = paymentOfRefund(invoice, row.payment_id);
  await countBack(tx, invoice, payment, { refunded: -row.amount, refunding: 0n });
  return isByCard ? [] : [await refundReturned(tx, invoice.account_id, row)];
}
