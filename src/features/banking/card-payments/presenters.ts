import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
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
import { objectId } from '#kernel/object-id.ts';
import { DECLINE_REASONS } from '#providers/issuing/port.ts';
import type { CardDecision } from './decision-store.ts';
import {
  CARD_PAYMENT_STATUSES,
  type CardElement,
  type CardPayment,
  cardElementsOf,
  ELEMENT_TYPES,
} from './payment-store.ts';

const DecisionId = objectIdField('cdc');

const Element = named('CardElement', {
  type: oneOfWords(ELEMENT_TYPES),
  amount: MoneyText,
  at: explained(Timestamp, 'When it happened, as the processor says'),
  network_reference: explained(Type.String(), 'The network’s number of the payment'),
  decision_id: explained(Nullable(DecisionId), 'What was decided about it, where we were asked'),
});

const Merchant = named('CardPaymentMerchant', {
  id: explained(TextOrNull, 'By the acquirer’s number'),
  name: Type.String(),
  mcc: explained(TextOrNull, 'Its category (ISO 18245)'),
  city: TextOrNull,
  country: TextOrNull,
});

export const ShownCardPayment = named('IssuedCardTransaction', {
  transaction_id: objectIdField('ctx'),
  rail: Type.Literal('issued_card'),
  card_id: objectIdField('crd'),
  user_id: Id,
  wallet_id: Id,
  merchant: Merchant,
  currency: Type.String(),
  merchant_amount: explained(TextOrNull, 'As the shop has it, where it sells in another currency'),
  merchant_currency: TextOrNull,
  authorized: explained(MoneyText, 'What was said yes to at first'),
  incremented: explained(MoneyText, 'What was said yes to on top of it'),
  reversed: explained(MoneyText, 'What the shop has given up'),
  expired: explained(MoneyText, 'What was not settled in time'),
  settled: explained(MoneyText, 'What the shop was paid'),
  refund_authorized: explained(MoneyText, 'What the shop has announced to give back'),
  refunded: explained(MoneyText, 'What the shop has given back'),
  held: explained(MoneyText, 'What is still promised, with its markup'),
  markup: explained(
    MoneyText,
    'What was charged on top of what was settled in another currency, less what was given back of it',
  ),
  net: explained(Type.String(), 'What was paid in all; below zero where more came back'),
  credited: explained(
    MoneyText,
    'What disputes have brought back of that, for good or until they are decided',
  ),
  elements: Type.Array(Element),
  disputed: explained(Type.Boolean(), 'Whether its holder disputes it'),
  flagged: explained(
    Type.Boolean(),
    'More than a fifth above what was held was settled, or shop and network have both given back: a person looks at it',
  ),
  ...stateFields(CARD_PAYMENT_STATUSES),
});

export interface CardPaymentWithElements {
  readonly payment: CardPayment;
  readonly elements: readonly CardElement[];
}

export function shownCardPayment({
  payment,
  elements,
}: CardPaymentWithElements): Static<typeof ShownCardPayment> {
  const money = (units: bigint) => format({ asset: payment.currency, units });
  return {
    transaction_id: payment.object_id,
    rail: 'issued_card',
    card_id: objectId('crd', payment.card_id),
    user_id: payment.user_id,
    wallet_id: payment.wallet_id,
    merchant: {
      id: payment.merchant_id,
      name: payment.merchant_name,
      mcc: payment.mcc,
      city: payment.merchant_city,
      country: payment.merchant_country,
    },
    currency: payment.currency,
    merchant_amount: payment.merchant_amount,
    merchant_currency: payment.merchant_currency,
    authorized: money(payment.authorized),
    incremented: money(payment.incremented),
    reversed: money(payment.reversed),
    expired: money(payment.expired),
    settled: money(payment.settled),
    refund_authorized: money(payment.refund_authorized),
    refunded: money(payment.refunded),
    held: money(payment.held + payment.held_markup),
    markup: money(payment.markup - payment.markup_returned),
    net: money(payment.net),
    credited: money(payment.credit),
    elements: elements.map(({ type, amount, at, network_reference, decision_id }) => ({
      type,
      amount: money(amount),
      at,
      network_reference,
      decision_id: decision_id && objectId('cdc', decision_id),
    })),
    disputed: payment.is_disputed,
    flagged: payment.is_flagged,
    ...shownState(payment),
  };
}

/** Payments with their elements: one statement for all. */
export async function withElements(
  db: Db,
  payments: readonly CardPayment[],
): Promise<CardPaymentWithElements[]> {
  const elements = await cardElementsOf(
    db,
    payments.map(({ payment_id }) => payment_id),
  );
  return payments.map((payment) => ({
    payment,
    elements: elements.get(payment.payment_id) ?? [],
  }));
}

export const ShownCardDecision = named('CardDecision', {
  decision_id: DecisionId,
  card_id: objectIdField('crd'),
  transaction_id: Nullable(objectIdField('ctx')),
  type: oneOfWords(['authorization', 'balance_inquiry'] as const),
  status: oneOfWords(['PENDING', 'RESPONDED', 'TIMED_OUT'] as const),
  decision: Nullable(oneOfWords(['approve', 'decline'] as const)),
  requested_amount: explained(MoneyText, 'What the shop has asked for'),
  amount: explained(MoneyText, 'What was said yes to'),
  currency: Type.String(),
  reason: explained(Nullable(oneOfWords(DECLINE_REASONS)), 'Why it was declined'),
  decided_by: Nullable(oneOfWords(['rules', 'client', 'stand_in'] as const)),
  client_answer: explained(
    Nullable(oneOfWords(['approve', 'decline', 'late', 'broken', 'busy'] as const)),
    'What came of the question to your own system; null where it was not asked',
  ),
  client_reason: explained(TextOrNull, 'Why your own system has declined, in its words'),
  received_at: Timestamp,
  timeout_at: explained(Timestamp, 'A yes after this is none'),
  responded_at: Nullable(Timestamp),
  ms: explained(Nullable(Type.Integer()), 'From the question to the answer'),
});

export function shownCardDecision(decision: CardDecision): Static<typeof ShownCardDecision> {
  const money = (units: bigint) => format({ asset: decision.currency, units });
  return {
    decision_id: objectId('cdc', decision.decision_id),
    card_id: objectId('crd', decision.card_id),
    transaction_id: decision.payment_id && objectId('ctx', decision.payment_id),
    type: decision.type,
    status: decision.status,
    decision: decision.decision,
    requested_amount: money(decision.asked),
    amount: money(decision.amount),
    currency: decision.currency,
    reason: decision.reason,
    decided_by: decision.decided_by,
    client_answer: decision.client_answer,
    client_reason: decision.client_reason,
    received_at: decision.received_at,
    timeout_at: decision.timeout_at,
    responded_at: decision.responded_at,
    ms: decision.ms,
  };
}
