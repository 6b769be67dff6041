import type { Static } from 'typebox';
import type { Cause } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, oneOfWords, TextOrNull } from '#kernel/http/declare/schema.ts';
import { WholeTransaction, wholeOf } from './presenters.ts';
import type { CardKind, CardTransaction } from './store.ts';

const schema = named('CardPaymentEventData', {
  rail: oneOfWords(['card']),
  ...WholeTransaction.properties,
  failure: explained(TextOrNull, 'Of one that has failed: why, as the network says it'),
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
const told = { schema, example, since: '2026-11' };

const payment = defineEvents('payment', told, {
  pending: 'Money was asked for, and has not come yet',
  succeeded: 'Money has come, and is in the wallet',
  failed: 'Money that was asked for does not come',
  refunded: 'A payment was given back',
  partially_refunded: 'A part of a payment was given back',
  updated: 'The card network says something else of a payment',
  charged_back:
    'The card network has taken a payment back, all of it or a part; what the wallet lacks is owed',
  restored: 'What the card network had taken back of a payment is there again',
});
const refund = defineEvents('refund', told, {
  pending: 'A payment is being given back; the money is set aside',
  succeeded: 'A payment was given back',
  failed: 'A payment could not be given back; the money is free again',
  updated: 'The card network says something else of a refund',
  came_back: 'The card network has sent a refund back; the money is in the wallet again',
  left_again: 'A refund that had come back has left again',
});
const payout = defineEvents('payout', told, {
  pending: 'Money is on its way out; it is set aside',
  succeeded: 'Money has left the wallet and arrived',
  failed: 'Money could not leave; it is free again',
  updated: 'The card network says something else of a payout',
  came_back: 'The card network has sent a payout back; the money is in the wallet again',
  left_again: 'A payout that had come back has left again',
});

/** What becomes of card transactions. */
export const CARD_EVENTS = [payment, refund, payout].flatMap((types) => Object.values(types));

const TYPES = { TOPUP: payment, REFUND: refund, PUSH: payout } as const satisfies Record<
  CardKind,
  object
>;
const VERBS = { PENDING: 'pending', SETTLED: 'succeeded', FAILED: 'failed' } as const;

/** In the transaction that has written it so; `cause` where that is a batch. */
export function emitCard(
  tx: Db,
  row: CardTransaction,
  { original, cause }: { original?: CardTransaction | undefined; cause?: Cause | undefined } = {},
): void {
  const given = {
    ...whose(row),
    operation: row.operation,
    ...(cause && { cause }),
  };
  const data = toldOf(row, original);
  emit(tx, TYPES[row.type][VERBS[row.state]], { ...given, id: row.reference_id, data });
  if (row.type !== 'REFUND' || row.state !== 'SETTLED' || !original) return;
  const type = row.amount < original.amount ? payment.partially_refunded : payment.refunded;
  const whole = toldOf(original);
  emit(tx, type, { ...given, id: original.reference_id, data: whole });
}

/** What callers are shown of it has changed. */
export function emitShown(tx: Db, row: CardTransaction, before: string): void {
  const data = toldOf(row);
  const id = row.reference_id;
  const previous = { status: before };
  emit(tx, TYPES[row.type].updated, { ...whose(row), id, data, previous });
}

const RETURNS = {
  TOPUP: { more: payment.charged_back, less: payment.restored },
  REFUND: { more: refund.came_back, less: refund.left_again },
  PUSH: { more: payout.came_back, less: payout.left_again },
} as const satisfies Record<CardKind, object>;

/** The card network has taken back more of it, or less than before. */
export function emitReturned(tx: Db, row: CardTransaction, isMore: boolean): void {
  const given = { ...whose(row), id: row.reference_id, data: toldOf(row) };
  const type = RETURNS[row.type][isMore ? 'more' : 'less'];
  emit(tx, type, given);
}

const toldOf = (row: CardTransaction, original?: CardTransaction) => ({
  rail: 'card' as const,
  ...wholeOf(row, original),
  failure: row.failure,
});

const whose = ({ client_id, user_id }: CardTransaction) => ({ client_id, user_id });
