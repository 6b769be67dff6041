import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import type { Market } from '#kernel/money/cost.ts';
import { format } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { arrivedParts } from '../charge.ts';
import type { InvoiceDeps } from '../deps.ts';
import { emitInvoice, emitInvoiceRefund, emitNamedPayment } from '../events.ts';
import { withPayment } from '../paid.ts';
import { countPaymentRefund, type InvoicePayment } from '../payment-store.ts';
import { invoicePolicy } from '../policy.ts';
import { invoiceRefund } from '../postings.ts';
import { countRefund, lockInvoice, type MerchantInvoice } from '../store.ts';
import { insertInvoiceRefund } from './refund-store.ts';
import type { NamedInvoiceRefund } from './shown.ts';

/** 180 days after the payment. */
const WINDOW_MS = 180 * 86_400_000;

export interface GivingBack {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly invoice_id: string;
  /** All that is left where it is left out. */
  readonly amount: string | undefined;
  readonly reason: string;
  readonly market: Market | undefined;
}

/**
 * Gives money of a paid invoice back to the wallet that has paid it, in the transaction of the caller, whose last
 * statement is the posting. Refunds of one invoice wait for one another. Throws NOT_FOUND, INVALID_STATUS,
 * REFUND_WINDOW_OVER, REFUND_EXCEEDS_PAID, INSUFFICIENT_BALANCE, WALLET_FROZEN, CONFLICT, and what policies refuse.
 */
export async function refundInvoice(
  deps: InvoiceDeps,
  tx: Db,
  giving: GivingBack,
): Promise<NamedInvoiceRefund> {
  const { caller, request, operation, market, invoice_id, reason } = giving;
  const { user_id, client_id } = caller;
  const invoice = await lockInvoice(tx, { user_id }, invoice_id);
  if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
  const { payment, units, to, payer } = refundableOf(deps, invoice, giving);
  const refund_id = newObjectUuid(deps.clock.ms());
  const object_id = objectId('rfd', refund_id);
  await deps.policies.decide(
    tx,
    invoicePolicy({
      caller,
      request,
      operation,
      market,
      kind: 'refund',
      op: 'invoice_refund',
      payment_id: object_id,
      amount: { asset: invoice.currency, units },
      wallet: { id: invoice.wallet_id, currency: invoice.currency },
      recipient: { id: `user:${payer}`, kind: 'wallet' },
    }),
  );
  const row = await insertInvoiceRefund(tx, {
    refund_id,
    object_id,
    operation,
    invoice_id,
    client_id,
    user_id,
    reason,
    payment_id: payment.payment_id,
    currency: invoice.currency,
    amount: units,
  });
  if (!row) throw fail('CONFLICT', 'The request is under way');
  const refund = { ...row, names: namesGiven('refund') };
  emitInvoiceRefund(tx, 'succeeded', refund);
  await countBack(tx, invoice, payment, units);
  const { account_id, currency } = invoice;
  const needed = { asset: currency, units };
  await postPayment(tx, invoiceRefund(invoice, to, row), { account_id, needed });
  return refund;
}

/** What of a payment the merchant has got: the fee where the customer bears it is not given back. */
const refundableIn = ({ fee_bearer }: MerchantInvoice, { amount, net }: InvoicePayment): bigint =>
  fee_bearer === 'customer' ? net : amount;

/**
 * The payment that is given back, and how much of it: the earliest one that has as much left. Without an amount it is all
 * that is left of the one with the most.
 */
function refundableOf(
  { clock }: Pick<InvoiceDeps, 'clock'>,
  invoice: MerchantInvoice,
  { amount }: Pick<GivingBack, 'amount'>,
) {
  const { status, currency, paid_at } = invoice;
  if (status !== 'PAID' || paid_at === null) throw notAllowedIn(status, ['PAID']);
  if (clock.ms() - Date.parse(paid_at) > WINDOW_MS)
    throw fail('REFUND_WINDOW_OVER', 'An invoice is refunded within 180 days of its payment', {
      details: { paid_at },
    });
  const left = arrivedParts(invoice).map((payment) => ({
    payment,
    left: refundableIn(invoice, payment) - payment.refunded,
  }));
  const [{ left: most } = { left: 0n }] = left.toSorted((a, b) => (a.left < b.left ? 1 : -1));
  const units = amount === undefined ? most : moneyOf({ amount, currency }).units;
  const [found] = left.filter((one) => one.left >= units);
  if (!found || units === 0n)
    throw fail('REFUND_EXCEEDS_PAID', 'No more is given back than was paid', {
      details: { refundable: format({ asset: currency, units: most }), currency },
    });
  const { payment } = found;
  if (payment.payer_account_id === null || payment.payer_user_id === null)
    throw fail('REFUND_NOT_POSSIBLE', 'What was paid by the gateway is not given back by it', {
      details: { reason: 'PAID_BY_GATEWAY' },
    });
  const { payer_account_id: to, payer_user_id: payer } = payment;
  return { payment, units, to, payer };
}

/** In the invoice and its payment. */
async function countBack(
  tx: Db,
  invoice: MerchantInvoice,
  payment: InvoicePayment,
  units: bigint,
): Promise<void> {
  const counted = await countPaymentRefund(tx, payment, units);
  const row = await countRefund(tx, invoice, units);
  if (!counted || !row) throw new Error(`Invoice ${invoice.object_id} has changed meanwhile`);
  const isAll = counted.refunded === refundableIn(invoice, counted);
  await emitNamedPayment(tx, isAll ? 'refunded' : 'partially_refunded', counted);
  emitInvoice(tx, 'refunded', { ...withPayment(invoice, counted), ...row });
}
