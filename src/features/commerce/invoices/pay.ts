import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import type { Market } from '#kernel/money/cost.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { invoiceCharge } from './charge.ts';
import type { TryingDeps } from './deps.ts';
import { emitInvoicePayment } from './events.ts';
import { requireMethod } from './methods.ts';
import { countPaid, requireOpenInvoice } from './paid.ts';
import { insertInvoicePayment, type NamedInvoicePayment } from './payment-store.ts';
import { invoicePolicy } from './policy.ts';
import { invoicePayment } from './postings.ts';
import { lockInvoice, type MerchantInvoice } from './store.ts';

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
 * Pays all that is owed of an invoice from the wallet of another person of the client, in the transaction of the
 * caller, whose last statement is the posting. Of several at once one pays. Throws NOT_FOUND, INVALID_STATUS,
 * SAME_WALLET, CURRENCY_MISMATCH, INSUFFICIENT_BALANCE, WALLET_FROZEN, CONFLICT, and what policies refuse.
 */
export async function payFromWallet(
  deps: TryingDeps,
  tx: Db,
  { caller, request, operation, invoice_id, from, market }: Paying,
): Promise<NamedInvoicePayment> {
  const { client_id } = caller;
  const invoice = await lockInvoice(tx, { client_id }, invoice_id);
  if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
  requirePayable(deps, invoice, from);
  const charged = await invoiceCharge(tx, invoice, 'wallet');
  await requireMethod(deps, tx, invoice, { method: 'wallet', units: charged.amount });
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
    status: 'SUCCEEDED',
    currency: invoice.currency,
    ...charged,
  });
  if (!payment) throw fail('CONFLICT', 'The request is under way');
  await countPaid(deps, tx, invoice, { payment, credited: invoice.amount - invoice.paid });
  const named = { ...payment, names: namesGiven('payment') };
  emitInvoicePayment(tx, 'succeeded', named);
  const posting = await invoicePayment(tx, invoice, {
    payment,
    from: { account: from.account_id },
  });
  const needed = { asset: from.currency, units: payment.amount };
  await postPayment(tx, posting, { account_id: from.account_id, needed });
  return named;
}

function requirePayable(
  { clock }: Pick<TryingDeps, 'clock'>,
  invoice: MerchantInvoice,
  from: FiatWallet,
) {
  const { currency, user_id } = invoice;
  requireOpenInvoice(clock.now(), invoice);
  if (from.currency !== currency)
    throw fail(
      'CURRENCY_MISMATCH',
      `The invoice is in ${currency}, the wallet in ${from.currency}`,
    );
  if (from.user_id === user_id)
    throw fail('SAME_WALLET', 'An invoice is paid by another person than its merchant');
}
