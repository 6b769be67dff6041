import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import {
  INVOICE_METHODS,
  INVOICE_PAYMENT_STATUSES,
  type InvoicePayment,
  type NamedInvoicePayment,
} from './payment-store.ts';
import { FEE_BEARERS, INVOICE_STATUSES, type MerchantInvoice } from './store.ts';

const paymentFields = {
  payment_id: objectIdField('ipm'),
  invoice_id: objectIdField('inv'),
  method: oneOfWords(INVOICE_METHODS),
  amount: explained(MoneyText, 'What the payer pays'),
  currency: Type.String(),
  fee: explained(MoneyText, 'Of the amount; it is not given back with a refund'),
  net: explained(MoneyText, 'What arrives, split among the wallets of the invoice'),
  refunded_amount: MoneyText,
  ...stateFields(INVOICE_PAYMENT_STATUSES),
};
const PaymentOfInvoice = named('PaymentOfInvoice', paymentFields);

/** A payment as the person who has paid sees it. */
export const ShownInvoicePayment = named('InvoicePayment', { ...paymentFields, ...namesShown });

const Customer = named('InvoiceCustomer', {
  name: TextOrNull,
  email: TextOrNull,
  phone: TextOrNull,
});
const Item = named('InvoiceItem', {
  name: Type.String(),
  quantity: Type.Integer(),
  unit_amount: MoneyText,
});
const Split = named('InvoiceSplit', {
  wallet_id: Id,
  amount: MoneyText,
  percent: explained(TextOrNull, 'Of the invoice, where the part was given so'),
  reference: Type.String(),
});

const REFUND_STATUSES = ['NONE', 'PARTIAL', 'FULL'] as const;

export const ShownInvoice = named('Invoice', {
  invoice_id: objectIdField('inv'),
  wallet_id: explained(Id, 'Where the money arrives'),
  amount: MoneyText,
  currency: Type.String(),
  to_pay: explained(
    MoneyText,
    'What is still owed, without the fee of the payment where the customer bears it',
  ),
  paid_amount: MoneyText,
  refunded_amount: MoneyText,
  refund_status: oneOfWords(REFUND_STATUSES),
  description: Type.String(),
  customer: Nullable(Customer),
  items: Type.Array(Item),
  split: Type.Array(Split),
  fee_bearer: oneOfWords(FEE_BEARERS),
  payments: explained(Type.Array(PaymentOfInvoice), 'The earliest first'),
  expires_at: Timestamp,
  ...namesShown,
  ...stateFields(INVOICE_STATUSES),
});

/** An invoice as its merchant sees it. */
export function shownMerchantInvoice(invoice: MerchantInvoice): Static<typeof ShownInvoice> {
  const { currency, amount, paid, refunded, items, splits, payments, names, status } = invoice;
  const money = (units: bigint) => format({ asset: currency, units });
  return {
    invoice_id: invoice.object_id,
    wallet_id: invoice.wallet_id,
    amount: money(amount),
    currency,
    to_pay: money(status === 'OPEN' ? amount - paid : 0n),
    paid_amount: money(paid),
    refunded_amount: money(refunded),
    refund_status: refundStatusOf(invoice),
    description: invoice.description,
    customer: invoice.customer,
    items: items.map(({ unit_amount, ...item }) => ({
      ...item,
      unit_amount: money(BigInt(unit_amount)),
    })),
    split: splits.map(({ wallet_id, amount: part, bps, reference }) => ({
      wallet_id,
      amount: money(part),
      percent: bps === null ? null : percentOf(bps),
      reference,
    })),
    fee_bearer: invoice.fee_bearer,
    payments: payments.map(paymentShown),
    expires_at: invoice.expires_at,
    reference: names.reference,
    metadata: names.metadata,
    ...shownState(invoice, { waits: status === 'OPEN' ? 'waiting_for_person' : undefined }),
  };
}

function refundStatusOf({ paid, refunded }: MerchantInvoice): (typeof REFUND_STATUSES)[number] {
  if (refunded === 0n) return 'NONE';
  return refunded < paid ? 'PARTIAL' : 'FULL';
}

const percentOf = (bps: number): string =>
  `${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')}`;

function paymentShown(payment: InvoicePayment): Static<typeof PaymentOfInvoice> {
  const { currency, amount, fee, net, refunded } = payment;
  const money = (units: bigint) => format({ asset: currency, units });
  return {
    payment_id: payment.object_id,
    invoice_id: payment.invoice,
    method: payment.method,
    amount: money(amount),
    currency,
    fee: money(fee),
    net: money(net),
    refunded_amount: money(refunded),
    ...shownState(payment),
  };
}

/** A payment with what its caller calls it. */
export const shownInvoicePayment = (
  payment: NamedInvoicePayment,
): Static<typeof ShownInvoicePayment> => ({
  ...paymentShown(payment),
  reference: payment.names.reference,
  metadata: payment.names.metadata,
});
