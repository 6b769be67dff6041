import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, type Operation, transfer } from '#kernel/ledger/ledger.ts';
import type { InvoicePayment } from './payment-store.ts';
import type { MerchantInvoice } from './store.ts';

/** Where the fees of invoices go. */
const invoiceFees = (tx: Db, currency: Fiat): Promise<number> =>
  openAccount(tx, houseAccount('invoice-fees', currency));

/** From the payer's wallet to the merchant's and those that get a part, less the fee. */
export async function invoicePayment(
  tx: Db,
  { account_id, currency, splits, object_id: invoice }: MerchantInvoice,
  { object_id, payer_account_id, amount, fee, net }: InvoicePayment,
): Promise<Operation> {
  const shared = splits.reduce((sum, split) => sum + split.amount, 0n);
  const legs: Leg[] = [
    { account: payer_account_id, amount: -amount },
    ...splits.map((split) => ({ account: split.account_id, amount: split.amount })),
  ];
  if (net > shared) legs.push({ account: account_id, amount: net - shared });
  if (fee > 0n) legs.push({ account: await invoiceFees(tx, currency), amount: fee });
  return { key: `invoice-payment:${object_id}`, kind: 'invoice-payment', legs, meta: { invoice } };
}

/** Back to the wallet that has paid. */
export const invoiceRefund = (
  { account_id, object_id: invoice }: MerchantInvoice,
  { payer_account_id }: InvoicePayment,
  { object_id, amount }: { readonly object_id: string; readonly amount: bigint },
): Operation => ({
  key: `invoice-refund:${object_id}`,
  kind: 'invoice-refund',
  legs: transfer(account_id, payer_account_id, amount),
  meta: { invoice },
});
