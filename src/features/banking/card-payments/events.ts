import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { CardDecision } from './decision-store.ts';
import type { CardPayment, CardPaymentStatus, ElementType } from './payment-store.ts';
import {
  type CardPaymentWithElements,
  ShownCardDecision,
  ShownCardPayment,
  shownCardDecision,
  shownCardPayment,
  withElements,
} from './presenters.ts';

const UUID = '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30';
const AT = '2026-11-28T03:00:58.447Z';
const NETWORK = '316332702214891';

/** What cards have paid, as payments. */
export const ISSUED_CARD_PAYMENTS: PaymentSource = {
  view: 'payment_of_card_payments',
  rail: 'issued_card',
  key: { column: 'object_key', type: 'text' },
  names: [],
  href: (id) => `/cards/transactions/${id}`,
};

const payments = defineObject<CardPaymentWithElements, typeof ShownCardPayment>({
  schema: ShownCardPayment,
  since: '2026-11',
  payment: ISSUED_CARD_PAYMENTS,
  example: {
    transaction_id: objectId('ctx', UUID),
    rail: 'issued_card',
    card_id: objectId('crd', UUID),
    user_id: 3,
    wallet_id: 3,
    merchant: {
      id: '445100321000100',
      name: 'Toko Kopi',
      mcc: '5814',
      city: 'Singapore',
      country: 'SG',
    },
    currency: 'USD',
    merchant_amount: null,
    merchant_currency: null,
    authorized: '12.50',
    incremented: '0.00',
    reversed: '0.00',
    expired: '0.00',
    settled: '0.00',
    refund_authorized: '0.00',
    refunded: '0.00',
    held: '12.50',
    markup: '0.00',
    net: '0.00',
    credited: '0.00',
    elements: [
      {
        type: 'authorization',
        amount: '12.50',
        at: AT,
        network_reference: NETWORK,
        decision_id: objectId('cdc', UUID),
      },
    ],
    disputed: false,
    flagged: false,
    status: 'AUTHORIZED',
    substatus: null,
    status_times: { authorized_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 2,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ payment: { client_id, user_id, object_id: id } }) => ({ client_id, user_id, id }),
  show: shownCardPayment,
});

const payment = payments.events('payment', {
  pending: 'A card was said yes to; the amount is held until the shop settles it',
  succeeded: 'The shop was paid',
  failed: 'The shop has given it up, or has not settled it in time; nothing was paid',
  updated: 'More, or less, of it is held, settled or given back',
});

const refund = payments.events('refund', {
  succeeded: 'A shop has given back what a card has paid, or a part of it',
});

const attention = payments.events('card_transaction', {
  declined: 'A card was said no to; the decision says why',
  flagged:
    'More than a fifth above what was held was settled, or shop and network have both given back',
});

const decisions = defineObject<CardDecision, typeof ShownCardDecision>({
  schema: ShownCardDecision,
  since: '2026-11',
  example: {
    decision_id: objectId('cdc', UUID),
    card_id: objectId('crd', UUID),
    transaction_id: objectId('ctx', UUID),
    type: 'authorization',
    status: 'TIMED_OUT',
    decision: 'decline',
    requested_amount: '12.50',
    amount: '0.00',
    currency: 'USD',
    reason: 'decision_timed_out',
    decided_by: 'rules',
    client_answer: null,
    client_reason: null,
    received_at: AT,
    timeout_at: '2026-11-28T03:01:00.447Z',
    responded_at: '2026-11-28T03:01:00.447Z',
    ms: 2000,
  },
  key: ({ client_id, user_id, decision_id }) => ({
    client_id,
    user_id,
    id: objectId('cdc', decision_id),
  }),
  show: shownCardDecision,
}).events('card_decision', {
  timed_out: 'A yes was not said in time, or the processor has not used it: nothing is held',
});

export const CARD_PAYMENT_EVENTS = [
  ...payment.types,
  ...refund.types,
  ...attention.types,
  ...decisions.types,
];

/** In the transaction that makes it, or takes it back. */
export const emitDecisionTimedOut = (tx: Db, decision: CardDecision): void =>
  decisions.emit(tx, 'timed_out', decision);

const VERBS: Readonly<Record<CardPaymentStatus, 'pending' | 'succeeded' | 'failed' | 'updated'>> = {
  AUTHORIZED: 'pending',
  PARTIALLY_SETTLED: 'updated',
  SETTLED: 'succeeded',
  REVERSED: 'failed',
  EXPIRED: 'failed',
  REFUNDED: 'updated',
  DECLINED: 'failed',
};

/** In the transaction that books an element. */
export async function emitCardPaymentChange(
  tx: Db,
  before: CardPayment | undefined,
  after: CardPayment,
  type: ElementType,
): Promise<void> {
  const [shown] = await withElements(tx, [after]);
  if (!shown) return;
  if (type === 'decline') attention.emit(tx, 'declined', shown);
  else payment.emit(tx, before?.status === after.status ? 'updated' : VERBS[after.status], shown);
  if (type === 'refund') refund.emit(tx, 'succeeded', shown);
  if (after.is_flagged && !before?.is_flagged) attention.emit(tx, 'flagged', shown);
}
