import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { named } from '#kernel/http/declare/named.ts';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import { NAMELESS, namesOf } from '#kernel/object-names/object-names.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { touchPayment } from '#kernel/payments/payment-writes.ts';
import type { InvoicePayment, NamedInvoicePayment } from './payment-store.ts';
import {
  InvoiceData,
  ShownInvoicePayment,
  shownInvoicePayment,
  shownMerchantInvoice,
} from './presenters.ts';
import type { InvoiceRefund } from './refunds/refund-store.ts';
import {
  type NamedInvoiceRefund,
  ShownInvoiceRefund,
  shownInvoiceRefund,
} from './refunds/shown.ts';
import type { MerchantInvoice } from './store.ts';
import { INVOICE_UNMATCHED_EVENTS } from './unmatched/events.ts';

const UUID = '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30';
const INVOICE = objectId('inv', UUID);
const PAYMENT = objectId('ipm', UUID);
const AT = '2026-11-22T03:00:58.447Z';
const KEY = { column: 'object_key', type: 'text' } as const;
const since = '2026-11';
const RAIL = { rail: 'invoice' as const };
const rail = { rail: oneOfWords(['invoice']) };
const state = {
  substatus: null,
  failure: null,
  in_doubt_since: null,
  next_attempt_at: null,
  version: 1,
  created_at: AT,
  updated_at: AT,
};

/** Payments of invoices, for those who are paid. */
export const INVOICE_PAYMENTS: PaymentSource = {
  view: 'payment_of_invoice_payments',
  rail: 'invoice',
  key: KEY,
  names: [],
  href: () => null,
};
/** The same for those who have paid. */
export const INVOICE_PAYERS: PaymentSource = {
  ...INVOICE_PAYMENTS,
  view: 'payment_of_invoice_payers',
};
export const INVOICE_REFUNDS: PaymentSource = {
  ...INVOICE_PAYMENTS,
  view: 'payment_of_invoice_refunds',
};

const invoices = defineObject<MerchantInvoice, typeof InvoiceData>({
  schema: InvoiceData,
  since,
  example: {
    invoice_id: INVOICE,
    wallet_id: 3,
    amount: '12.50',
    currency: 'USD',
    to_pay: '12.50',
    paid_amount: '0.00',
    refunded_amount: '0.00',
    refund_status: 'NONE',
    description: 'Order 2041',
    customer: null,
    items: [],
    split: [],
    fee_bearer: 'merchant',
    allow_partial: false,
    methods: null,
    link_id: null,
    return_url: null,
    recovery_url: null,
    payments: [],
    expires_at: '2026-11-23T03:00:58.447Z',
    reference: 'invoice-2041',
    metadata: {},
    ...state,
    status: 'OPEN',
    substatus: 'waiting_for_person',
    status_times: { open_at: AT },
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: shownMerchantInvoice,
});
const invoice = invoices.events('invoice', {
  created: 'Money is asked for',
  paid: 'All of it has arrived',
  partially_paid: 'A part of it has arrived, and waits for the rest',
  expired: 'It was not paid in time',
  cancelled: 'Its merchant has cancelled it',
  refunded: 'Some or all of it was given back, or came back from the bank',
});

/** In the transaction that changes it. */
export const emitInvoice = invoice.emit;

const payments = defineObject<NamedInvoicePayment, ReturnType<typeof paymentData>>({
  schema: paymentData(),
  since,
  payment: INVOICE_PAYMENTS,
  example: {
    ...RAIL,
    payment_id: PAYMENT,
    invoice_id: INVOICE,
    method: 'wallet',
    amount: '12.50',
    currency: 'USD',
    fee: '0.00',
    net: '12.50',
    refunded_amount: '0.00',
    action: null,
    provider_reference: null,
    reference: null,
    metadata: {},
    ...state,
    status: 'SUCCEEDED',
    status_times: { succeeded_at: AT },
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: (row) => ({ ...RAIL, ...shownInvoicePayment(row) }),
});
function paymentData() {
  return named('InvoicePaymentEventData', { ...rail, ...ShownInvoicePayment.properties });
}
const payment = payments.events('payment', {
  pending: 'A payment of an invoice was begun, can be paid now, or is being looked for',
  succeeded: 'A payment of an invoice has arrived',
  failed: 'A payment of an invoice has failed, or its money pays no invoice',
  cancelled: 'A payment of an invoice was called off, or was not made in time',
  refunded: 'A payment of an invoice was refunded',
  partially_refunded: 'A part of a payment of an invoice was refunded',
  disputed:
    'The card network has taken a payment of an invoice back, in whole or in part; its merchant owes what the wallet lacks',
  restored: 'The card network has given a disputed payment of an invoice again',
});

/** In the transaction that changes it, for both sides. */
export function emitInvoicePayment(
  tx: Db,
  verb: Parameters<typeof payment.emit>[1],
  row: NamedInvoicePayment,
): void {
  payment.emit(tx, verb, row);
  if (row.payer_user_id !== null) touchPayment(tx, INVOICE_PAYERS, row.object_id);
}

/** The same with what its caller calls it, which is read. */
export async function emitNamedPayment(
  tx: Db,
  verb: Parameters<typeof payment.emit>[1],
  row: InvoicePayment,
): Promise<void> {
  const names = await namesOf(tx, 'payment', [row.object_id], 'operator');
  emitInvoicePayment(tx, verb, { ...row, names: names.get(row.object_id) ?? NAMELESS });
}

function refundData() {
  return named('InvoiceRefundEventData', { ...rail, ...ShownInvoiceRefund.properties });
}
const refunds = defineObject<NamedInvoiceRefund, ReturnType<typeof refundData>>({
  schema: refundData(),
  since,
  payment: INVOICE_REFUNDS,
  example: {
    ...RAIL,
    refund_id: objectId('rfd', UUID),
    invoice_id: INVOICE,
    payment_id: PAYMENT,
    amount: '25000.00',
    currency: 'IDR',
    reason: 'One lamp was broken',
    way: 'bank',
    payee: { name: 'Siti Rahma', detail: 'BCA ****7890' },
    claim_expires_at: null,
    provider_reference: 'disb-6380f2b1c2d3e4f5a6b7c8d9',
    reference: null,
    metadata: {},
    ...state,
    status: 'SUCCEEDED',
    status_times: { succeeded_at: AT },
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: (row) => ({ ...RAIL, ...shownInvoiceRefund(row) }),
});
const refund = refunds.events('refund', {
  pending: 'Money of an invoice is on its way back, or waits for its payer to name an account',
  succeeded: 'Money of an invoice was given back',
  failed: 'Money of an invoice was not given back, or came back from the bank',
});

export const emitInvoiceRefund = refund.emit;

/** The same with what its caller calls it, which is read. */
export async function emitNamedRefund(
  tx: Db,
  verb: Parameters<typeof refund.emit>[1],
  row: InvoiceRefund,
): Promise<void> {
  const names = await namesOf(tx, 'refund', [row.object_id], 'operator');
  emitInvoiceRefund(tx, verb, { ...row, names: names.get(row.object_id) ?? NAMELESS });
}

export const INVOICE_EVENTS = [
  ...invoice.types,
  ...payment.types,
  ...refund.types,
  ...INVOICE_UNMATCHED_EVENTS,
];
