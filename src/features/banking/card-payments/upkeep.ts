import { lockIssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { bookElement } from './book.ts';
import {
  type CardDecision,
  confirmDecisions,
  postponeConfirmation,
  timeOutPending,
  unconfirmedDecisions,
} from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import { emitDecisionTimedOut } from './events.ts';
import { type CardPayment, lockCardPayment, overdueHolds } from './payment-store.ts';
import { messageOurs, payingCardOf } from './question.ts';
import { takeBackYes } from './take-back.ts';

const AT_ONCE = 100;

/** Frees what the shop has not settled in time. What it settles after that is booked all the same. */
export const expireHolds = (deps: CardPaymentDeps): Schedule =>
  defineSchedule({
    name: 'card-payments.expire',
    cron: '*/5 * * * *',
    async run({ signal }) {
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; ) {
        const overdue = await overdueHolds(deps.db, AT_ONCE);
        for (const one of overdue) await expireHold(deps, one);
        found = overdue.length;
      }
    },
  });

const expireHold = (
  deps: CardPaymentDeps,
  { card_id, payment_id }: Pick<CardPayment, 'card_id' | 'payment_id'>,
): Promise<void> =>
  transact(deps.db, async (tx) => {
    const card = await lockIssuedCard(tx, {}, card_id);
    const payment = card && (await lockCardPayment(tx, payment_id));
    if (!payment || payment.held === 0n) return;
    if (payment.holds_until > deps.clock.now().toISOString()) return;
    await bookElement(deps, tx, {
      card: await payingCardOf(tx, card),
      message: messageOurs(payment, {
        token: payment.object_id,
        networkReference: payment.object_id,
        sequence: '',
        units: payment.held,
      }),
      type: 'expiration',
      amount: payment.held,
      isFinal: true,
      mustHold: false,
      decision_id: null,
      found: { payment, new_id: payment_id },
    });
  });

/**
 * Looks up what has become of a yes that the processor has not confirmed: where it was not used, nothing stays held. Ends
 * what a process that has died was asked.
 */
export const confirmYeses = (deps: CardPaymentDeps): Schedule =>
  defineSchedule({
    name: 'card-payments.confirm',
    cron: '* * * * *',
    async run({ signal }) {
      for (const decision of await unconfirmedDecisions(deps.db, AT_ONCE)) {
        if (signal.aborted) return;
        await confirmYes(deps, decision);
      }
      await transact(deps.db, async (tx) => {
        for (const decision of await timeOutPending(tx, AT_ONCE))
          emitDecisionTimedOut(tx, decision);
      });
    },
  });

async function confirmYes(deps: CardPaymentDeps, decision: CardDecision): Promise<void> {
  const { decision_id, card_id, transaction_token } = decision;
  const found = await deps.issuing.findMessage(transaction_token);
  if (found.kind !== 'done') return postponeConfirmation(deps.db, decision_id);
  if (found.value === undefined || found.value.isDeclined) return takeBackYes(deps, decision_id);
  await transact(deps.db, (tx) => confirmDecisions(tx, card_id, transaction_token));
}
