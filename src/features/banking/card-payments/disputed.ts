import type { Db } from '#kernel/db/db.ts';
import { setDisputed } from './disputed-store.ts';
import { emitCardPaymentChange } from './events.ts';
import { insertCardElement, lockCardPayment } from './payment-store.ts';

/** What the network has done about a dispute. */
export interface DisputeElement {
  readonly type: 'chargeback' | 'representment';
  readonly amount: bigint;
  /** Of the dispute: each counts once for it. */
  readonly sequence: string;
  readonly transaction_token: string;
  readonly at: string;
}

/** Notes at a payment that its holder disputes it, or no more, in the transaction that changes the dispute. Posts nothing. */
export async function noteDispute(
  tx: Db,
  payment_id: string,
  noted: { readonly isDisputed: boolean; readonly elements: readonly DisputeElement[] },
): Promise<void> {
  const before = await lockCardPayment(tx, payment_id);
  if (!before) throw new Error(`Card payment ${payment_id} is not there`);
  let isNew = before.is_disputed !== noted.isDisputed;
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
  if (!isNew) return;
  const after = await setDisputed(tx, payment_id, noted.isDisputed);
  await emitCardPaymentChange(tx, before, after, 'chargeback');
}
