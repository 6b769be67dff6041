import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { named } from '#kernel/http/declare/named.ts';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { ShownItem, shownItem } from './item-shapes.ts';
import type { BatchItem } from './items-store.ts';

const AT = '2026-11-28T03:00:58.447Z';

/** The type of their events. */
export const ITEM_PAYMENT = 'payout';

/** Payments of batches. */
export const BATCH_PAYMENTS: PaymentSource = {
  view: 'payment_of_batch_items',
  rail: 'batch',
  key: { column: 'object_key', type: 'text' },
  names: ['bank_reference'],
  href: () => null,
};

const payouts = defineObject<BatchItem, ReturnType<typeof schemaOf>>({
  schema: schemaOf(),
  since: '2026-11',
  payment: BATCH_PAYMENTS,
  example: {
    rail: 'batch',
    item_id: 'itm_06f4t3xet5c77bsdh7wedf8g8s',
    batch_id: 'bat_06f4t3xet5c77bsdh7wedf8g8s',
    line: 1,
    recipient: {
      recipient_id: 'rcp_06f4t3xet5c77bsdh7wedf8g8s',
      name: 'Siti Rahma',
      detail: 'BCA ****7890',
    },
    amount: '150000.00',
    currency: 'IDR',
    received: { amount: '150000.00', currency: 'IDR' },
    fee: '2500.00',
    reference: 'salary-11-siti',
    note: null,
    payment_id: 'itm_06f4t3xet5c77bsdh7wedf8g8s',
    provider_reference: null,
    returned: null,
    status: 'PROCESSING',
    substatus: 'waiting_for_provider',
    status_times: { pending_at: AT, held_at: AT, processing_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 3,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ client_id, user_id, our_reference: id }) => ({ client_id, user_id, id }),
  show: (row) => ({ rail: 'batch' as const, ...shownItem(row) }),
}).events(ITEM_PAYMENT, {
  processing: 'A payout is on its way to the bank',
  succeeded: 'A payout has arrived',
  failed: 'A payout has failed; its money is free again at the end of its batch',
  returned: 'A payout came back from the bank after it had arrived',
});

function schemaOf() {
  const rail = oneOfWords(['batch'] as const);
  return named('BatchItemEventData', { rail, ...ShownItem.properties });
}

export const BATCH_ITEM_EVENTS = payouts.types;

/** In the transaction that changes it. */
export const emitItem = (tx: Db, verb: Parameters<typeof payouts.emit>[1], row: BatchItem): void =>
  payouts.emit(tx, verb, row);
