import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import type { Market } from '#kernel/money/cost.ts';
import { format } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { NAMELESS, namesGiven, namesOf } from '#kernel/object-names/object-names.ts';
import type { InvoiceDeps } from '../deps.ts';
import { emitInvoice, emitInvoicePayment, emitInvoiceRefund } from '../events.ts';
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
  const { payment, units } = refundableOf(deps, invoice, giving);
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
      recipient: { id: `user:${payment.payer_user_id}`, kind: 'wallet' },
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
  await postPayment(tx, invoiceRefund(invoice, payment, row), { account_id, needed });
  return refund;
}

/** The payment that is given back, and how much of it. */
function refundableOf(
  { clock }: Pick<InvoiceDeps, 'clock'>,
  { status, currency, paid, paid_at, refunded, payments }: MerchantInvoice,
  { amount }: Pick<GivingBack, 'amount'>,
) {
  const [payment] = payments;
  if (status !== 'PAID' || paid_at === null || !payment) throw notAllowedIn(status, ['PAID']);
  if (clock.ms() - Date.parse(paid_at) > WINDOW_MS)
    throw fail('REFUND_WINDOW_OVER', 'An invoice is refunded within 180 days of its payment', {
      details: { paid_at },
    });
  const left = paid - refunded;
  const units = amount === undefined ? left : moneyOf({ amount, currency }).units;
  if (units > left || left === 0n)
    throw fail('REFUND_EXCEEDS_PAID', 'No more is given back than was paid', {
      details: { refundable: format({ asset: currency, units: left }), currency },
    });
  return { payment, units };
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
  const names = await namesOf(tx, 'payment', [payment.object_id], 'operator');
  emitInvoicePayment(tx, row.refunded === row.paid ? 'refunded' : 'partially_refunded', {
    ...counted,
    names: names.get(payment.object_id) ?? NAMELESS,
  });
  emitInvoice(tx, 'refunded', { ...invoice, ...row, payments: [counted] });
}
