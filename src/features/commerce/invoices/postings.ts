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
  /** What merchants owe after charge-backs that their wallet could not pay. */
  owed: 'invoice-owed',
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

/** Where money is before it is booked. */
export interface MoneySource {
  readonly account: number;
  /** The name under which it is set aside there. */
  readonly hold?: string;
}

const takenFrom = ({ account, hold: name }: MoneySource, amount: bigint): Leg => ({
  account,
  amount: -amount,
  ...(name !== undefined && { held: -amount }),
});
const moved = (from: MoneySource, account: number, amount: bigint): Leg[] => [
  takenFrom(from, amount),
  { account, amount },
];
const heldBy = ({ hold: name }: MoneySource) => (name === undefined ? {} : { hold: name });

interface Arrived {
  readonly payment: InvoicePayment;
  readonly from: MoneySource;
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
    takenFrom(from, payment.amount),
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
    legs: merged(legs),
    meta: { invoice: object_id, ...heldBy(from) },
  };
}

/** One leg for each account: what a card has paid is in the merchant's wallet already. */
function merged(legs: readonly Leg[]): Leg[] {
  const all = new Map<number, Leg>();
  for (const { account, amount, held = 0n } of legs) {
    const { amount: before, held: set = 0n } = all.get(account) ?? { amount: 0n };
    const both = { amount: before + amount, held: set + held };
    all.set(account, { account, amount: both.amount, ...(both.held !== 0n && both) });
  }
  return [...all.values()];
}

/** A part of an invoice waits for the rest. */
export const invoicePart = async (
  tx: Db,
  { currency, object_id }: MerchantInvoice,
  { payment, from }: Arrived,
): Promise<Operation> => ({
  key: `invoice-part:${payment.object_id}`,
  kind: 'invoice-part',
  legs: moved(from, await invoiceHouse(tx, 'partial', currency), payment.amount),
  meta: { invoice: object_id, ...heldBy(from) },
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
  from: MoneySource,
): Promise<Operation> => ({
  key: `invoice-unmatched:${object_id}`,
  kind: 'invoice-unmatched',
  meta: heldBy(from),
  legs: moved(from, await invoiceHouse(tx, 'unmatched', currency), amount),
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

interface TakenBack {
  /** With what is still owed of it. */
  readonly stray: Pick<Stray, 'object_id' | 'currency'> & { readonly owed: bigint };
  readonly amount: bigint;
  readonly from: 'unmatched' | 'writeOffs';
}

/** The card network takes back what has paid no invoice: the wallet that it is taken from gets it first. */
export const unmatchedTakenBack = async (
  tx: Db,
  { account_id }: Pick<MerchantInvoice, 'account_id'>,
  { stray: { object_id, currency, owed }, amount, from }: TakenBack,
): Promise<Operation> => ({
  key: `invoice-unmatched:${object_id}:taken-back:${owed}`,
  kind: 'invoice-unmatched-taken-back',
  legs: transfer(await invoiceHouse(tx, from, currency), account_id, amount),
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

/** What pays no invoice goes back to its card: set aside in the wallet that the card has paid into. */
export const strayHold = async (
  tx: Db,
  account: number,
  { object_id, amount, currency }: Stray,
): Promise<Operation> => ({
  key: `invoice-refund:${object_id}:hold`,
  kind: 'invoice-refund-hold',
  legs: [
    { account: await invoiceHouse(tx, 'unmatched', currency), amount: -amount },
    { account, amount, held: amount },
  ],
  meta: { hold: object_id },
});

/** The card does not get it: it pays no invoice again. */
export const strayFreed = async (
  tx: Db,
  account: number,
  { object_id, amount, currency }: Stray,
): Promise<Operation> => ({
  key: `invoice-refund:${object_id}:release`,
  kind: 'invoice-refund-release',
  legs: moved({ account, hold: object_id }, await invoiceHouse(tx, 'unmatched', currency), amount),
  meta: { hold: object_id },
});

/** The fee of what goes back to a card, to the merchant; undefined where there is none. */
export const feeGivenBack = async (
  tx: Db,
  { account_id }: Pick<MerchantInvoice, 'account_id'>,
  { object_id, currency, invoice }: Refunded,
  share: bigint,
): Promise<Operation | undefined> =>
  share === 0n
    ? undefined
    : {
        key: `invoice-refund:${object_id}:fee`,
        kind: 'invoice-refund-fee',
        legs: transfer(await invoiceHouse(tx, 'fees', currency), account_id, share),
        meta: { invoice },
      };
