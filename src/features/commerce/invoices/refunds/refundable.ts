import { fail } from '#kernel/error.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { arrivedParts } from '../charge.ts';
import type { InvoiceDeps } from '../deps.ts';
import { type InvoicePayment, isGatewayMethod } from '../payment-store.ts';
import type { MerchantInvoice } from '../store.ts';

/** 180 days after the payment. */
const WINDOW_MS = 180 * 86_400_000;

interface Wanted {
  /** All that is left where it is left out. */
  readonly amount: string | undefined;
  /** A bank account is named: only what has come in by the gateway goes there. */
  readonly isToBank: boolean;
}

export interface Refundable {
  readonly payment: InvoicePayment;
  readonly units: bigint;
}

/** What of a payment the merchant has got: the fee where the customer bears it is not given back. */
export const refundableIn = (
  { fee_bearer }: Pick<MerchantInvoice, 'fee_bearer'>,
  { amount, net }: Pick<InvoicePayment, 'amount' | 'net'>,
): bigint => (fee_bearer === 'customer' ? net : amount);

/** What goes back to a card goes once, all or a part of it. */
const isGivenBackOnce = ({ method, refunded, refunding }: InvoicePayment): boolean =>
  method === 'card' && refunded + refunding > 0n;

const leftOf = (invoice: MerchantInvoice, payment: InvoicePayment): bigint =>
  isGivenBackOnce(payment)
    ? 0n
    : refundableIn(invoice, payment) - payment.refunded - payment.refunding;

function noWayBack({ payments }: MerchantInvoice) {
  if (payments.some(({ status }) => status === 'DISPUTED'))
    return fail('REFUND_NOT_POSSIBLE', 'The card network has taken the payment back', {
      details: { reason: 'DISPUTED' },
    });
  return fail('REFUND_NOT_POSSIBLE', 'What a wallet or a card has paid goes back to it', {
    details: {
      reason: payments.some(({ method }) => method === 'card') ? 'PAID_BY_CARD' : 'PAID_BY_WALLET',
    },
    hint: 'Leave `recipient_id` out.',
  });
}

/**
 * The payment that is given back, and how much of it: the earliest one that has as much left. Without an amount it is all
 * that is left of the one with the most. What is on its way back is not there any more. Throws INVALID_STATUS,
 * REFUND_WINDOW_OVER, REFUND_NOT_POSSIBLE, REFUND_EXCEEDS_PAID.
 */
export function refundableOf(
  { clock }: Pick<InvoiceDeps, 'clock'>,
  invoice: MerchantInvoice,
  { amount, isToBank }: Wanted,
): Refundable {
  const { status, currency, paid_at } = invoice;
  if (status !== 'PAID' || paid_at === null) throw notAllowedIn(status, ['PAID']);
  if (clock.ms() - Date.parse(paid_at) > WINDOW_MS)
    throw fail('REFUND_WINDOW_OVER', 'An invoice is refunded within 180 days of its payment', {
      details: { paid_at },
    });
  const left = arrivedParts(invoice)
    .filter(({ method }) => !isToBank || isGatewayMethod(method))
    .map((payment) => ({ payment, left: leftOf(invoice, payment) }));
  if (left.length === 0) throw noWayBack(invoice);
  if (left.every(({ payment }) => isGivenBackOnce(payment)))
    throw fail('REFUND_NOT_POSSIBLE', 'A payment goes back to its card once', {
      details: { reason: 'CARD_REFUNDED_ONCE' },
    });
  const [{ left: most } = { left: 0n }] = left.toSorted((a, b) => (a.left < b.left ? 1 : -1));
  const units = amount === undefined ? most : moneyOf({ amount, currency }).units;
  const [found] = left.filter((one) => one.left >= units);
  if (!found || units === 0n)
    throw fail('REFUND_EXCEEDS_PAID', 'No more is given back than was paid', {
      details: { refundable: format({ asset: currency, units: most }), currency },
    });
  return { payment: found.payment, units };
}
