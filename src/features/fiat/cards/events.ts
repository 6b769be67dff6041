import { type Static, Type } from 'typebox';
import type { Cause } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Sagas } from '#kernel/effects/saga.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { toWire } from '#kernel/money/money.ts';
import { keyedBy, type PaymentSource } from '#kernel/payments/payment-source.ts';
import { touchPayment } from '#kernel/payments/payment-writes.ts';
import type { CardKind, CardTransaction } from './store.ts';

const listed = {
  id: Id,
  type: oneOfWords(['TOPUP', 'REFUND']),
  card_last4: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  status: Type.String(),
  approval_code: TextOrNull,
  transaction_identifier: TextOrNull,
  reference_id: Type.String(),
  created_at: Timestamp,
};
/** A line of the history. */
export const HistoryEntry = named('ListedCardTransaction', listed);
/** The contract's card transaction, with the network's number of it. */
export const WholeTransaction = named('CardTransaction', {
  ...listed,
  wallet_id: Id,
  user_id: Id,
  platform_fee: Type.Number(),
  net_amount: Type.Number(),
  retrieval_reference_number: Type.String(),
  original_reference: Nullable(Type.String()),
  updated_at: Timestamp,
});

export const inCurrency = ({ currency }: CardTransaction, units: bigint): number =>
  toWire({ asset: currency, units });

export const entryOf = (row: CardTransaction) => ({
  id: row.id,
  // The contract has no third type for a push to a card: its status distinguishes it from a refund.
  type: row.type === 'TOPUP' ? ('TOPUP' as const) : ('REFUND' as const),
  card_last4: row.card_last4,
  amount: inCurrency(row, row.amount),
  currency: row.currency,
  status: row.status,
  approval_code: row.approval_code,
  transaction_identifier: row.transaction_identifier,
  reference_id: row.reference_id,
  created_at: row.created_at,
});

export const wholeOf = (row: CardTransaction, original: CardTransaction | undefined) => ({
  ...entryOf(row),
  wallet_id: row.wallet_id,
  user_id: row.user_id,
  platform_fee: inCurrency(row, row.platform_fee),
  net_amount: inCurrency(row, row.net_amount),
  retrieval_reference_number: row.rrn,
  original_reference: original?.reference_id ?? null,
  updated_at: row.updated_at,
});

const schema = named('CardPaymentEventData', {
  rail: oneOfWords(['card']),
  ...WholeTransaction.properties,
  failure: explained(TextOrNull, 'The network’s code for the failure'),
});

const example: Static<typeof schema> = {
  rail: 'card',
  id: 812,
  type: 'TOPUP',
  card_last4: '1111',
  amount: 100,
  currency: 'USD',
  status: 'SUCCESS_RECEIVED',
  approval_code: '98765X',
  transaction_identifier: '234234322342343',
  reference_id: 'TOPUP-NFCRADBEHKLMPQGJ',
  created_at: '2026-11-22T03:00:58.447Z',
  wallet_id: 3,
  user_id: 3,
  platform_fee: 3,
  net_amount: 97,
  retrieval_reference_number: '632603000001',
  original_reference: null,
  updated_at: '2026-11-22T03:00:58.901Z',
  failure: null,
};
/** Card transactions as payments. */
export const CARD_PAYMENTS: PaymentSource = {
  view: 'payment_of_card_transactions',
  rail: 'card',
  key: { column: 'object_key', type: 'text' },
  names: ['rrn', 'transaction_identifier', 'approval_code'],
  href: (id) => `/card-checkout/card/reference/${id}`,
};
const BY_NUMBER = keyedBy(CARD_PAYMENTS, 'id', 'integer');

const shared = { schema, example, since: '2026-11', payment: CARD_PAYMENTS };

const payment = defineEvents('payment', shared, {
  pending: 'A payment was requested and has not come yet',
  succeeded: 'A payment has come and is in the wallet',
  failed: 'A payment was requested and does not come',
  refunded: 'A payment was refunded',
  partially_refunded: 'A part of a payment was refunded',
  updated: 'The card network has changed the status of a payment',
  charged_back:
    'The card network has taken a payment back, in whole or in part; the user owes the part that the wallet lacks',
  restored: 'The card network has given a charged-back payment again',
});
const refund = defineEvents('refund', shared, {
  pending: 'A refund was requested; its money is held',
  succeeded: 'A payment was refunded',
  failed: 'A refund has failed; its money is free again',
  updated: 'The card network has changed the status of a refund',
  came_back: 'The card network has sent a refund back; the money is in the wallet again',
  left_again: 'A refund that had come back has left again',
});
const payout = defineEvents('payout', shared, {
  pending: 'A payout is in flight; its money is held',
  succeeded: 'A payout has left the wallet and arrived',
  failed: 'A payout has failed; its money is free again',
  updated: 'The card network has changed the status of a payout',
  came_back: 'The card network has sent a payout back; the money is in the wallet again',
  left_again: 'A payout that had come back has left again',
});

/** Events of card transactions. */
export const CARD_EVENTS = [payment, refund, payout].flatMap((types) => Object.values(types));

const TYPES = { TOPUP: payment, REFUND: refund, PUSH: payout } as const satisfies Record<
  CardKind,
  object
>;
const VERBS = { PENDING: 'pending', SETTLED: 'succeeded', FAILED: 'failed' } as const;

interface Occasion {
  readonly original?: CardTransaction | undefined;
  /** Of a transaction that is booked in a batch. */
  readonly cause?: Cause | undefined;
}

function emitCard(tx: Db, row: CardTransaction, { original, cause }: Occasion): void {
  const given = {
    ...ownerOf(row),
    operation: row.operation,
    ...(cause && { cause }),
  };
  const data = dataOf(row, original);
  emit(tx, TYPES[row.type][VERBS[row.state]], { ...given, id: row.reference_id, data });
  if (row.type !== 'REFUND' || row.state !== 'SETTLED' || !original) return;
  const type = row.amount < original.amount ? payment.partially_refunded : payment.refunded;
  emit(tx, type, { ...given, id: original.reference_id, data: dataOf(original) });
}

/** The signal that a flow receives when its pull ends. */
export const CARD_EVENT = 'card';

export interface CardFlowEvent {
  readonly state: 'SETTLED' | 'FAILED';
  readonly reference: string;
}

/** Emits the event of a new state in the transaction that writes it, and signals the flow that waits for the end. */
export type AnnounceCard = (tx: Db, row: CardTransaction, occasion?: Occasion) => Promise<void>;

export const cardAnnouncer =
  (sagas: Pick<Sagas, 'signal'>): AnnounceCard =>
  async (tx, row, occasion = {}) => {
    const { flow, state, reference_id: reference } = row;
    if (flow !== null && state !== 'PENDING') {
      const end: CardFlowEvent = { state, reference };
      await sagas.signal(tx, flow, CARD_EVENT, reference, end);
    }
    emitCard(tx, row, occasion);
  };

/** Emits that the status which callers see has changed. */
export function emitShown(tx: Db, row: CardTransaction, before: string): void {
  const data = dataOf(row);
  const id = row.reference_id;
  const previous = { status: before };
  emit(tx, TYPES[row.type].updated, { ...ownerOf(row), id, data, previous });
}

const RETURNS = {
  TOPUP: { more: payment.charged_back, less: payment.restored },
  REFUND: { more: refund.came_back, less: refund.left_again },
  PUSH: { more: payout.came_back, less: payout.left_again },
} as const satisfies Record<CardKind, object>;

/** What went back of a top-up has changed beside its refund. */
export const touchOriginal = (tx: Db, id: number): void => touchPayment(tx, BY_NUMBER, id);

/** Emits that the card network has taken back more of a transaction, or less than before. */
export function emitReturned(tx: Db, row: CardTransaction, isMore: boolean): void {
  const given = { ...ownerOf(row), id: row.reference_id, data: dataOf(row) };
  const type = RETURNS[row.type][isMore ? 'more' : 'less'];
  emit(tx, type, given);
}

const dataOf = (row: CardTransaction, original?: CardTransaction) => ({
  rail: 'card' as const,
  ...wholeOf(row, original),
  failure: row.failure,
});

const ownerOf = ({ client_id, user_id }: CardTransaction) => ({ client_id, user_id });
