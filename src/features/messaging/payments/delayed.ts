import type { Static } from 'typebox';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { NAMELESS, namesOf } from '#kernel/object-names/object-names.ts';
import { findPayments } from '#kernel/payment-list/payment-list-store.ts';
import { markDelayed, measureSpeeds } from '#kernel/payment-list/payment-watch-store.ts';
import { transact } from '#kernel/transact.ts';
import { EXAMPLE_PAYMENT } from './example.ts';
import { ListedPaymentBody, type PaymentWords, shownPayment } from './presenters.ts';

export const delayed = defineEvent('payment.delayed', {
  schema: ListedPaymentBody,
  summary: 'A payment takes longer than 99 of 100 of its rail',
  since: '2026-11',
  example: EXAMPLE_PAYMENT as Static<typeof ListedPaymentBody>,
});

/** No payment is delayed before. */
const FLOOR_S = 600;
const AT_ONCE = 200;

/** Measures how long payments take, and tells of each that takes too long, once. */
export const watchSchedule = (
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  words: PaymentWords,
): Schedule =>
  defineSchedule({
    name: 'payments.watch',
    cron: '*/5 * * * *',
    async run() {
      await measureSpeeds(db, clock.now());
      for (let n = AT_ONCE; n === AT_ONCE; )
        n = await transact(db, (tx) => tellDelayed(tx, clock.now(), words));
    },
  });

async function tellDelayed(tx: Kernel['db'], at: Date, words: PaymentWords): Promise<number> {
  const rows = await markDelayed(tx, { at, floorS: FLOOR_S, limit: AT_ONCE });
  for (const { payment_id, object_type, object_id, client_id, user_id } of rows) {
    const [row] = await findPayments(tx, {}, ['payment_id', payment_id]);
    if (!row) continue;
    const names = await namesOf(tx, object_type, [object_id], client_id);
    const data = shownPayment(row, names.get(object_id) ?? NAMELESS, words);
    emit(tx, delayed, { client_id, user_id, id: data.payment_id, data });
  }
  return rows.length;
}
