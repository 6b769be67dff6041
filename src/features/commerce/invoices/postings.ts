import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, type Leg, type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { arrivedParts } from './charge.ts';
import type { InvoicePayment } from './payment-store.ts';
import type { MerchantInvoice } from './store.ts';

/** Accounts of the house that money of invoices goes through. */
const PURPOSES = {
  /** Where the fees go. */
  fees: 'invoice-fees',
  /** Parts that have come in, until all is there. */
  partial: 'invoice-partial',
  /** What pays no invoice. */
  unmatched: 'invoice-unmatched',
  writeOffs: 'invoice-write-offs',
  /** Paid back by others. */
  elsewhere: 'invoice-elsewhere',
  gateway: 'gateway',
} as const;
export type InvoiceHouse = keyof typeof PURPOSES;

export const invoiceHouse = (tx: Db, name: InvoiceHouse, currency: Fiat): Promise<number> =>
  openAccount(tx, houseAccount(PURPOSES[name], currency));

interface Arrived {
  readonly payment: InvoicePayment;
  /** The account that the money comes from. */
  readonly from: number;
}

/**
 * All of an invoice is paid: by this payment and, where it was paid in parts, by what has waited. To the merchant's
 * wallet and those that get a part, less the fees.
 */
export async function invoicePayment(
  tx: Db,
  invoice: MerchantInvoice,
  { payment, from }: Arrived,
): Promise<Operation> {
  const { account_id, currency, splits, object_id } = invoice;
  const parts = arrivedParts(invoice).filter((part) => part.object_id !== payment.object_id);
  const sumOf = (name: 'amount' | 'fee' | 'net') =>
    [...parts, payment].reduce((sum, part) => sum + part[name], 0n);
  const shared = splits.reduce((sum, split) => sum + split.amount, 0n);
  const legs: Leg[] = [
    { account: from, amount: -payment.amount },
    ...splits.map((split) => ({ account: split.account_id, amount: split.amount })),
  ];
  const waited = sumOf('amount') - payment.amount;
  if (waited > 0n)
    legs.push({ account: await invoiceHouse(tx, 'partial', currency), amount: -waited });
  const [net, fee] = [sumOf('net'), sumOf('fee')];
  if (net > shared) legs.push({ account: account_id, amount: net - shared });
  if (fee > 0n) legs.push({ account: await invoiceHouse(tx, 'fees', currency), amount: fee });
  return {
    key: `invoice-payment:${payment.object_id}`,
    kind: 'invoice-payment',
    legs,
    meta: { invoice: object_id },
  };
}

/** A part of an invoice waits for the rest. */
export const invoicePart = async (
  tx: Db,
  { currency, object_id }: MerchantInvoice,
  { payment, from }: Arrived,
): Promise<Operation> => ({
  key: `invoice-part:${payment.object_id}`,
  kind: 'invoice-part',
  legs: transfer(from, await invoiceHouse(tx, 'partial', currency), payment.amount),
  meta: { invoice: object_id },
});

interface Stray {
  readonly object_id: string;
  readonly currency: Fiat;
  readonly amount: bigint;
}

/** What pays no invoice is owed to its payer. */
export const unmatchedInvoiceMoney = async (
  tx: Db,
  { object_id, currency, amount }: Stray,
  from: number,
): Promise<Operation> => ({
  key: `invoice-unmatched:${object_id}`,
  kind: 'invoice-unmatched',
  legs: transfer(from, await invoiceHouse(tx, 'unmatched', currency), amount),
});

/** It is owed no more: written off, or paid back by others. */
export const unmatchedSettled = async (
  tx: Db,
  { object_id, currency }: Omit<Stray, 'amount'>,
  { amount, to }: { readonly amount: bigint; readonly to: 'writeOffs' | 'elsewhere' },
): Promise<Operation> => ({
  key: `invoice-unmatched:${object_id}:settled`,
  kind: 'invoice-unmatched-settled',
  legs: transfer(
    await invoiceHouse(tx, 'unmatched', currency),
    await invoiceHouse(tx, to, currency),
    amount,
  ),
});

interface Refunded extends Stray {
  /** The invoice. */
  readonly invoice: string;
}

/** Back to the wallet that has paid. */
export const invoiceRefund = (
  { account_id }: Pick<MerchantInvoice, 'account_id'>,
  payer_account_id: number,
  { object_id, amount, invoice }: Refunded,
): Operation => ({
  key: `invoice-refund:${object_id}`,
  kind: 'invoice-refund',
  legs: transfer(account_id, payer_account_id, amount),
  meta: { invoice },
});

const heldMeta = ({ object_id, invoice }: Refunded) => ({ hold: object_id, invoice });

/** Sets aside what is to go to a bank. */
export const refundHold = (account_id: number, refund: Refunded): Operation => ({
  key: `invoice-refund:${refund.object_id}:hold`,
  kind: 'invoice-refund-hold',
  legs: hold(account_id, refund.amount),
  meta: heldMeta(refund),
});

/** It does not go there: it is free again. */
export const refundRelease = (account_id: number, refund: Refunded): Operation => ({
  key: `invoice-refund:${refund.object_id}:release`,
  kind: 'invoice-refund-release',
  legs: release(account_id, refund.amount),
  meta: heldMeta(refund),
});

/** The bank has it. */
export const refundPaid = async (tx: Db, account: number, refund: Refunded): Promise<Operation> => {
  const { object_id, amount, currency } = refund;
  const gateway = await invoiceHouse(tx, 'gateway', currency);
  return {
    key: `invoice-refund:${object_id}`,
    kind: 'invoice-refund',
    legs: [
      { account, amount: -amount, held: -amount },
      { account: gateway, amount },
    ],
    meta: { ...heldMeta(refund), payout: object_id },
  };
};

/** The bank has sent it back, to where it came from. */
export const refundReturned = async (
  tx: Db,
  account_id: number,
  { object_id, amount, currency, invoice }: Refunded,
): Promise<Operation> => ({
  key: `invoice-refund:${object_id}:returned`,
  kind: 'invoice-refund-returned',
  legs: transfer(await invoiceHouse(tx, 'gateway', currency), account_id, amount),
  meta: { invoice, payout: object_id },
});

/** What pays no invoice has gone back to its payer's bank. */
export const strayRefundPaid = async (
  tx: Db,
  { object_id, amount, currency }: Stray,
): Promise<Operation> => ({
  key: `invoice-refund:${object_id}`,
  kind: 'invoice-unmatched-refund',
  legs: transfer(
    await invoiceHouse(tx, 'unmatched', currency),
    await invoiceHouse(tx, 'gateway', currency),
    amount,
  ),
  meta: { payout: object_id },
});
