import type { Db } from '#kernel/db/db.ts';
import { type ClaimChange, setDisputed } from './disputed-store.ts';
import { emitCardPaymentChange } from './events.ts';
import { type CardPayment, insertCardElement, lockCardPayment } from './payment-store.ts';

/** What the network has done about a dispute. */
export interface DisputeElement {
  readonly type: 'chargeback' | 'representment';
  readonly amount: bigint;
  /** Of the dispute: each counts once for it. */
  readonly sequence: string;
  readonly transaction_token: string;
  readonly at: string;
}

/** A payment before and after a change of a dispute; the money that moves is the difference. */
export interface DisputedChange {
  readonly before: CardPayment;
  readonly after: CardPayment;
}

/**
 * Notes at a payment that its holder disputes it, or no more, and what is claimed of it, in the transaction that changes
 * the dispute. Posts nothing.
 */
export async function noteDispute(
  tx: Db,
  payment_id: string,
  noted: ClaimChange & {
    readonly isDisputed: boolean;
    readonly elements: readonly DisputeElement[];
  },
): Promise<DisputedChange> {
  const before = await lockCardPayment(tx, payment_id);
  if (!before) throw new Error(`Card payment ${payment_id} is not there`);
  const isClaimed = noted.claimed !== 0n || noted.won !== 0n;
  let isNew = isClaimed || before.is_disputed !== noted.isDisputed;
  for (const element of noted.elements) {
    const made = await insertCardElement(tx, {
      ...element,
      payment_id,
      card_id: before.card_id,
      network_reference: before.object_id,
      decision_id: null,
      is_final: false,
    });
    isNew ||= made !== undefined;
  }
  if (!isNew) return { before, after: before };
  const after = await setDisputed(tx, payment_id, noted);
  await emitCardPaymentChange(tx, before, after, 'chargeback');
  return { before, after };
}
