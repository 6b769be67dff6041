import { lockRecipient, recipientSeen } from '#features/banking/recipients/recipients.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { emitInvoiceRefund } from '../events.ts';
import { invoicePolicy } from '../policy.ts';
import { invoiceRefund, refundHold } from '../postings.ts';
import { lockInvoice } from '../store.ts';
import { countBack } from './counts.ts';
import type { RefundDeps } from './deps.ts';
import { type Giving, type GivingBack, underWay } from './giving.ts';
import { type InvoiceRefund, insertInvoiceRefund } from './refund-store.ts';
import { refundableOf } from './refundable.ts';
import { refundToBank } from './to-bank.ts';
import { requireWholeRupiah } from './to-bank-rules.ts';
import { beginCardRefund } from './to-card.ts';

/**
 * Gives money of a paid invoice back, in the transaction of the caller, whose last statement is the posting: to the wallet
 * that has paid it, or what has come in by the gateway to a bank. Refunds of one invoice wait for one another. Throws
 * NOT_FOUND, INVALID_STATUS, REFUND_WINDOW_OVER, REFUND_EXCEEDS_PAID, REFUND_NOT_POSSIBLE, INSUFFICIENT_BALANCE,
 * WALLET_FROZEN, CONFLICT, what policies refuse, and what banks do not take.
 */
export async function refundInvoice(
  deps: RefundDeps,
  tx: Db,
  wanted: GivingBack,
): Promise<InvoiceRefund> {
  const { caller, operation, invoice_id, reason, amount, recipient_id } = wanted;
  const { user_id, client_id } = caller;
  const invoice = await lockInvoice(tx, { user_id }, invoice_id);
  if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
  const isToBank = recipient_id !== undefined;
  const refundable = refundableOf(deps, invoice, { amount, isToBank });
  const refund_id = newObjectUuid(deps.clock.ms());
  const made = {
    refund_id,
    object_id: objectId('rfd', refund_id),
    operation,
    invoice_id,
    client_id,
    user_id,
    reason,
    payment_id: refundable.payment.payment_id,
    currency: invoice.currency,
    amount: refundable.units,
  };
  const giving = { ...wanted, ...refundable, invoice, made };
  const { method } = refundable.payment;
  if (method === 'wallet') return refundToWallet(deps, tx, giving);
  return method === 'card' ? toCard(deps, tx, giving) : toBank(deps, tx, giving);
}

/** The payer brings the card again: it is stored nowhere. */
async function toCard(deps: RefundDeps, tx: Db, giving: Giving): Promise<InvoiceRefund> {
  const { caller, request, invoice, payment, units, made } = giving;
  await decide(deps, tx, giving, { id: invoice.object_id, kind: 'card' });
  const row = await beginCardRefund(deps, tx, requesterOf(caller, request), { made, invoice });
  emitInvoiceRefund(tx, 'pending', { ...row, names: namesGiven('refund') });
  await countBack(tx, invoice, payment, { refunded: 0n, refunding: units });
  const { account_id, currency } = invoice;
  const needed = { asset: currency, units };
  await postPayment(tx, refundHold(account_id, row), { account_id, needed });
  return row;
}

async function refundToWallet(deps: RefundDeps, tx: Db, giving: Giving): Promise<InvoiceRefund> {
  const { invoice, payment, units, made } = giving;
  const { payer_account_id: to, payer_user_id: payer } = payment;
  if (to === null || payer === null) throw new Error(`${payment.object_id} has no payer`);
  await decide(deps, tx, giving, { id: `user:${payer}`, kind: 'wallet' });
  const row = await insertInvoiceRefund(tx, { ...made, status: 'SUCCEEDED', way: 'wallet' });
  if (!row) throw underWay();
  emitInvoiceRefund(tx, 'succeeded', { ...row, names: namesGiven('refund') });
  await countBack(tx, invoice, payment, { refunded: units, refunding: 0n });
  const { account_id, currency } = invoice;
  const needed = { asset: currency, units };
  await postPayment(tx, invoiceRefund(invoice, to, row), { account_id, needed });
  return row;
}

async function toBank(deps: RefundDeps, tx: Db, giving: Giving): Promise<InvoiceRefund> {
  const { caller, recipient_id, invoice, units } = giving;
  requireWholeRupiah(deps, { asset: invoice.currency, units });
  if (recipient_id === undefined) {
    await decide(deps, tx, giving, { id: invoice.object_id, kind: 'bank', is_new: true });
    return refundToBank(deps, tx, giving, undefined);
  }
  const recipient = await lockRecipient(tx, { user_id: caller.user_id }, recipient_id);
  if (!recipient) throw fail('NOT_FOUND', 'Recipient not found');
  await decide(deps, tx, giving, recipientSeen(recipient, deps.clock.now()));
  return refundToBank(deps, tx, giving, recipient);
}

const decide = (
  deps: RefundDeps,
  tx: Db,
  { caller, request, operation, market, invoice, units, made }: Giving,
  recipient: NonNullable<PolicyOperation['recipient']>,
) =>
  deps.policies.decide(
    tx,
    invoicePolicy({
      caller,
      request,
      operation,
      market,
      kind: 'refund',
      op: 'invoice_refund',
      payment_id: made.object_id,
      amount: { asset: invoice.currency, units },
      wallet: { id: invoice.wallet_id, currency: invoice.currency },
      recipient,
    }),
  );
