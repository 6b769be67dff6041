import type { Db } from '#kernel/db/db.ts';
import { emitInvoice, emitNamedPayment } from '../events.ts';
import { withPayment } from '../paid.ts';
import { countPaymentRefund, type InvoicePayment } from '../payment-store.ts';
import { countRefund, type MerchantInvoice } from '../store.ts';
import { refundableIn } from './refundable.ts';

/** By how much what is back, and what is on its way back, changes. */
export interface RefundChange {
  readonly refunded: bigint;
  readonly refunding: bigint;
}

/**
 * Counts in a locked invoice and its payment. A check of both tables lets no more go back than was paid. Events follow
 * where what is back changes.
 */
export async function countBack(
  tx: Db,
  invoice: MerchantInvoice,
  payment: InvoicePayment,
  change: RefundChange,
): Promise<void> {
  const counted = await countPaymentRefund(tx, payment, change);
  const row = await countRefund(tx, invoice, change);
  if (!counted || !row) throw new Error(`Invoice ${invoice.object_id} has changed meanwhile`);
  if (change.refunded === 0n) return;
  await emitNamedPayment(tx, verbOf(invoice, counted), counted);
  emitInvoice(tx, 'refunded', { ...withPayment(invoice, counted), ...row });
}

function verbOf(invoice: MerchantInvoice, counted: InvoicePayment) {
  if (counted.refunded === 0n) return 'succeeded';
  return counted.refunded === refundableIn(invoice, counted) ? 'refunded' : 'partially_refunded';
}

/** The payment of a locked invoice that a refund is of. */
export function paymentOfRefund(
  { payments, object_id }: MerchantInvoice,
  payment_id: string,
): InvoicePayment {
  const found = payments.find((one) => one.payment_id === payment_id);
  if (!found) throw new Error(`Invoice ${object_id} has no payment ${payment_id}`);
  return found;
}
