import { feeOf } from '#features/fiat/fees/fees.ts';
import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import type { Market } from '#kernel/money/cost.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import type { InvoiceDeps } from './deps.ts';
import { emitInvoice, emitInvoicePayment } from './events.ts';
import { insertInvoicePayment, type NamedInvoicePayment } from './payment-store.ts';
import { invoicePolicy } from './policy.ts';
import { invoicePayment } from './postings.ts';
import { endInvoice, lockInvoice, type MerchantInvoice } from './store.ts';

interface Paying {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly invoice_id: string;
  /** Of the caller. */
  readonly from: FiatWallet;
  readonly market: Market | undefined;
}

/**
 * Pays all of an invoice from the wallet of another person of the client, in the transaction of the caller, whose last
 * statement is the posting. Of several at once one pays. Throws NOT_FOUND, INVALID_STATUS, SAME_WALLET,
 * CURRENCY_MISMATCH, INSUFFICIENT_BALANCE, WALLET_FROZEN, CONFLICT, and what policies refuse.
 */
export async function payFromWallet(
  deps: InvoiceDeps,
  tx: Db,
  { caller, request, operation, invoice_id, from, market }: Paying,
): Promise<NamedInvoicePayment> {
  const { client_id } = caller;
  const invoice = await lockInvoice(tx, { client_id }, invoice_id);
  if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
  requirePayable(deps, invoice, from);
  const charged = await chargeOf(tx, invoice);
  const payment_id = newObjectUuid(deps.clock.ms());
  const object_id = objectId('ipm', payment_id);
  await deps.policies.decide(
    tx,
    invoicePolicy({
      caller,
      request,
      operation,
      market,
      kind: 'transfer',
      op: 'invoice_payment',
      payment_id: object_id,
      amount: { asset: invoice.currency, units: charged.amount },
      wallet: { id: from.wallet_id, currency: from.currency },
      recipient: { id: `user:${invoice.user_id}`, kind: 'wallet' },
    }),
  );
  const payment = await insertInvoicePayment(tx, {
    payment_id,
    object_id,
    operation,
    invoice_id,
    client_id,
    user_id: invoice.user_id,
    payer_user_id: from.user_id,
    payer_wallet_id: from.wallet_id,
    payer_account_id: from.account_id,
    method: 'wallet',
    currency: invoice.currency,
    ...charged,
  });
  if (!payment) throw fail('CONFLICT', 'The request is under way');
  await markInvoicePaid(deps, tx, { ...invoice, payments: [payment] });
  const named = { ...payment, names: namesGiven('payment') };
  emitInvoicePayment(tx, 'succeeded', named);
  const posting = await invoicePayment(tx, invoice, payment);
  const needed = { asset: from.currency, units: payment.amount };
  await postPayment(tx, posting, { account_id: from.account_id, needed });
  return named;
}

function requirePayable(
  { clock }: Pick<InvoiceDeps, 'clock'>,
  invoice: MerchantInvoice,
  from: FiatWallet,
) {
  const { status, expires_at, currency, user_id } = invoice;
  if (status !== 'OPEN') throw notAllowedIn(status, ['OPEN']);
  if (expires_at <= clock.now().toISOString()) throw notAllowedIn('EXPIRED', ['OPEN']);
  if (from.currency !== currency)
    throw fail(
      'CURRENCY_MISMATCH',
      `The invoice is in ${currency}, the wallet in ${from.currency}`,
    );
  if (from.user_id === user_id)
    throw fail('SAME_WALLET', 'An invoice is paid by another person than its merchant');
}

/**
 * By the fees of the moment. What is promised to others comes first: a fee that has risen since the invoice was made
 * takes no more than what is left of it.
 */
async function chargeOf(
  tx: Db,
  { client_id, currency, amount, fee_bearer, splits }: MerchantInvoice,
) {
  const asked = { asset: currency, units: amount };
  const fee = await feeOf(tx, { client_id, rail: 'invoice', method: 'wallet', amount: asked });
  const fee_terms = fee.terms;
  if (fee_bearer === 'customer')
    return { amount: amount + fee.units, fee: fee.units, net: amount, fee_terms };
  const left = amount - splits.reduce((sum, split) => sum + split.amount, 0n);
  if (fee.units > left) return { amount, fee: left, net: amount - left, fee_terms };
  return { amount, fee: fee.units, net: amount - fee.units, fee_terms };
}

async function markInvoicePaid(
  { clock }: InvoiceDeps,
  tx: Db,
  invoice: MerchantInvoice,
): Promise<void> {
  const { amount } = invoice;
  const row = await endInvoice(tx, invoice, 'PAID', {
    paid: amount,
    paid_at: clock.now().toISOString(),
  });
  if (!row) throw new Error(`Invoice ${invoice.object_id} is not open`);
  emitInvoice(tx, 'paid', { ...invoice, ...row });
}
