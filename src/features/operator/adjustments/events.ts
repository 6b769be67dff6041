import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { adjustmentReferenceOf, ShownAdjustment, shownAdjustment } from './presenters.ts';
import type { Adjustment } from './store.ts';

const ID = '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11';

/** Corrections of the ledger as payments. */
export const ADJUSTMENT_PAYMENTS: PaymentSource = {
  view: 'payment_of_adjustments',
  rail: 'operator',
  key: { column: 'object_key', type: 'uuid' },
  names: [],
  href: () => null,
};

const adjustment = defineEvents(
  'adjustment',
  {
    schema: ShownAdjustment,
    since: '2026-11',
    payment: ADJUSTMENT_PAYMENTS,
    example: {
      adjustment_id: ID,
      kind: 'adjustment',
      status: 'BOOKED',
      reason: 'Charged twice on 21 November',
      of: null,
      user_id: 3,
      wallet_id: 3,
      direction: 'credit',
      amount: '25.00',
      currency: 'USD',
      entries: [
        { account: 'house adjustments', amount: '-25.00' },
        { account: 'user:3 wallet', amount: '25.00' },
      ],
      reference: `adjustment:${ID}`,
      proposed_by: 1,
      decided_by: 5,
      decision_note: null,
      created_at: '2026-11-22T03:00:58.447Z',
      expires_at: '2026-11-29T03:00:58.447Z',
      decided_at: '2026-11-22T04:12:00.000Z',
    },
  },
  {
    proposed: 'An admin of the operator wants the ledger corrected; another one has to approve',
    booked: 'A second admin has approved, and it is posted',
    rejected: 'Another admin has rejected it; no money moved',
    withdrawn: 'The admin who proposed it has withdrawn it; no money moved',
    expired: 'No admin has decided in time; no money moved',
    voided: 'The admin who proposed it was suspended; no money moved',
  },
);

export const ADJUSTMENT_EVENTS = Object.values(adjustment);
export type AdjustmentOutcome = keyof typeof adjustment;

/**
 * In the transaction of the change. The event is the operator's; the owner of the wallet gets the wallet's own event.
 */
export const emitAdjustment = (
  tx: Db,
  became: AdjustmentOutcome,
  row: Adjustment,
  now: Date,
): void =>
  emit(tx, adjustment[became], {
    client_id: OPERATOR_CLIENT_ID,
    id: row.adjustment_id,
    // The key by which a caller finds its posting.
    operation: adjustmentReferenceOf(row),
    data: shownAdjustment(row, now),
  });
