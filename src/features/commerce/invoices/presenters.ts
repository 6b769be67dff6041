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
import {
  type Doubt,
  type Substatus,
  shownState,
  stateFields,
} from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  INVOICE_METHODS,
  INVOICE_PAYMENT_STATUSES,
  type InvoicePayment,
  type NamedInvoicePayment,
} from './payment-store.ts';
import {
  FEE_BEARERS,
  INVOICE_STATUSES,
  type InvoiceStatus,
  type MerchantInvoice,
} from './store.ts';

const Account = named('InvoicePaymentAccount', {
  bank_code: Type.String(),
  account_number: Type.String(),
  account_name: Type.String(),
});

export const InvoiceAction = named('InvoicePaymentAction', {
  type: oneOfWords(['redirect', 'virtual_account']),
  url: explained(Type.String(), 'The page on which the payer pays'),
  accounts: explained(
    Type.Array(Account),
    'Of a virtual account: any of them takes the exact amount; none where the gateway shows them on its page alone',
  ),
  expires_at: Nullable(Timestamp),
});

const paymentFields = {
  payment_id: objectIdField('ipm'),
  invoice_id: objectIdField('inv'),
  method: oneOfWords(INVOICE_METHODS),
  amount: explained(MoneyText, 'What the payer pays'),
  currency: Type.String(),
  fee: explained(MoneyText, 'Of the amount; it is not given back with a refund'),
  net: explained(MoneyText, 'What arrives, split among the wallets of the invoice'),
  refunded_amount: MoneyText,
  action: explained(
    Nullable(InvoiceAction),
    'What the payer has to do, while it is open and the gateway has answered',
  ),
  provider_reference: explained(TextOrNull, 'The gateway’s own name of it'),
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

const invoiceFields = {
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
  allow_partial: explained(Type.Boolean(), 'Whether it can be paid in parts'),
  methods: explained(
    Nullable(Type.Array(oneOfWords(INVOICE_METHODS))),
    'The ways to pay it; null where it is by all that the client offers',
  ),
  link_id: explained(Nullable(objectIdField('lnk')), 'The link by which a payer has made it'),
  return_url: TextOrNull,
  recovery_url: TextOrNull,
  payments: explained(Type.Array(PaymentOfInvoice), 'The earliest first'),
  expires_at: Timestamp,
  ...namesShown,
  ...stateFields(INVOICE_STATUSES),
};

/** Events leave the address of the page out: its key is for the merchant and the payer. */
export const InvoiceData = named('InvoiceEventData', invoiceFields);
export const ShownInvoice = named('Invoice', {
  ...invoiceFields,
  checkout_url: explained(Type.String(), 'Where people pay it; the address is all they need'),
});

/** An invoice as its merchant sees it, without the address of its page. */
export function shownMerchantInvoice(invoice: MerchantInvoice): Static<typeof InvoiceData> {
  const { currency, amount, paid, refunded, items, splits, payments, names, status } = invoice;
  const money = (units: bigint) => format({ asset: currency, units });
  return {
    invoice_id: invoice.object_id,
    wallet_id: invoice.wallet_id,
    amount: money(amount),
    currency,
    to_pay: money(isUnpaid(status) ? amount - paid : 0n),
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
    allow_partial: invoice.allow_partial,
    methods: invoice.methods,
    link_id: invoice.link_id === null ? null : objectId('lnk', invoice.link_id),
    return_url: invoice.return_url,
    recovery_url: invoice.recovery_url,
    payments: payments.map((payment) => paymentShown(payment)),
    expires_at: invoice.expires_at,
    reference: names.reference,
    metadata: names.metadata,
    ...shownState(invoice, { waits: invoiceWaits(status) }),
  };
}

const isUnpaid = (status: InvoiceStatus): boolean =>
  status === 'OPEN' || status === 'PROCESSING' || status === 'PARTIALLY_PAID';

function invoiceWaits(status: InvoiceStatus): Substatus | undefined {
  if (status === 'PROCESSING') return 'waiting_for_provider';
  return isUnpaid(status) ? 'waiting_for_person' : undefined;
}

function refundStatusOf({ paid, refunded }: MerchantInvoice): (typeof REFUND_STATUSES)[number] {
  if (refunded === 0n) return 'NONE';
  return refunded < paid ? 'PARTIAL' : 'FULL';
}

const percentOf = (bps: number): string =>
  `${Math.floor(bps / 100)}.${String(bps % 100).padStart(2, '0')}`;

function paymentShown(payment: InvoicePayment, doubt?: Doubt): Static<typeof PaymentOfInvoice> {
  const { currency, amount, fee, net, refunded, status } = payment;
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
    action: actionOf(payment),
    provider_reference: payment.provider_reference,
    ...shownState(payment, {
      doubt,
      waits:
        status === 'REQUIRES_ACTION'
          ? 'waiting_for_person'
          : status === 'PENDING'
            ? 'waiting_for_provider'
            : undefined,
    }),
  };
}

/** What the payer of a payment has to do. */
export function actionOf({ status, payment_url: url, accounts, expires_at }: InvoicePayment) {
  if (status !== 'REQUIRES_ACTION' || url === null) return null;
  const type = accounts === null ? ('redirect' as const) : ('virtual_account' as const);
  return { type, url, accounts: [...(accounts ?? [])], expires_at };
}

/** A payment with what its caller calls it. */
export const shownInvoicePayment = (
  payment: NamedInvoicePayment,
  doubt?: Doubt,
): Static<typeof ShownInvoicePayment> => ({
  ...paymentShown(payment, doubt),
  reference: payment.names.reference,
  metadata: payment.names.metadata,
});
