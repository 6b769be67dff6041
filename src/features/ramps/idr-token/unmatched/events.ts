import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
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
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { idrTokenRupiahOf } from '../presenters.ts';
import { REASONS, type UnmatchedPayment } from './store.ts';

/** A payment that does not pay its purchase, and its settlement. */
export const UnmatchedBody = named('IdrTokenUnmatchedPayment', {
  payment_id: Id,
  reference_id: explained(Type.String(), 'The purchase that the money came for'),
  user_id: Id,
  amount_idr: Type.Number(),
  owed_idr: explained(Type.Number(), 'What of it waits for the operator'),
  reason: explained(
    oneOfWords(REASONS),
    '`LATE`: after the purchase had ended; `UNDERPAID`, `OVERPAID`: another sum; `PAID_ALREADY`: once more',
  ),
  refund: explained(
    oneOfWords(['NONE', 'OWED', 'SENT']),
    '`OWED`: waits for the operator; `SENT`: has gone back; `NONE`: all of it was given to a purchase',
  ),
  assigned_mint_id: explained(Nullable(Id), 'The purchase that it was given to'),
  settled_note: explained(TextOrNull, 'How it went back without a refund of ours'),
  gateway_payment_id: explained(Type.String(), 'The gateway’s name of the payment'),
  came_at: Timestamp,
});

export const unmatchedBody = (row: UnmatchedPayment): Static<typeof UnmatchedBody> => ({
  payment_id: row.payment_id,
  reference_id: row.reference_id,
  user_id: row.user_id,
  amount_idr: idrTokenRupiahOf(row.units),
  owed_idr: idrTokenRupiahOf(row.owed_units - row.sent_units),
  reason: row.reason,
  refund: row.refund,
  assigned_mint_id: row.assigned_mint_id,
  settled_note: row.settled_note,
  gateway_payment_id: row.receipt,
  came_at: row.came_at,
});

/** Payments that pay no purchase as payments. */
export const IDR_UNMATCHED_PAYMENTS: PaymentSource = {
  view: 'payment_of_idr_unmatched_payments',
  rail: 'idr_token',
  key: { column: 'object_key', type: 'integer' },
  names: ['receipt'],
  href: () => null,
};

const unmatched = defineEvents(
  'idr_payment',
  {
    schema: UnmatchedBody,
    since: '2026-11',
    payment: IDR_UNMATCHED_PAYMENTS,
    example: {
      payment_id: 4,
      reference_id: 'MINT-1795316458447-3',
      user_id: 3,
      amount_idr: 53_000,
      owed_idr: 53_000,
      reason: 'LATE',
      refund: 'OWED',
      assigned_mint_id: null,
      settled_note: null,
      gateway_payment_id: '6380f2b1c2d3e4f5a6b7c8d9',
      came_at: '2026-11-23T03:10:00.000Z',
    },
  },
  {
    unmatched: 'Money has come in for a purchase that it does not pay; it is owed to its payer',
    assigned: 'The operator has given such money to a purchase, which it pays',
    refunded: 'Such money has gone back: to its owner’s IDR wallet, or by its note otherwise',
  },
);

export const UNMATCHED_EVENTS = Object.values(unmatched);

/** In the transaction that changes the owed amount. */
export function emitUnmatched(tx: Db, what: keyof typeof unmatched, row: UnmatchedPayment): void {
  const { client_id, user_id, payment_id: id } = row;
  emit(tx, unmatched[what], { client_id, user_id, id, data: unmatchedBody(row) });
}
