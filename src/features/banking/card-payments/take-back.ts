import { type IssuedCard, lockIssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { bookElement } from './book.ts';
import {
  type CardDecision,
  decisionsOfTransaction,
  findCardDecision,
  timeOutDecision,
} from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import { emitDecisionTimedOut } from './events.ts';
import { lockCardPayment } from './payment-store.ts';
import { messageOurs, payingCardOf } from './question.ts';

/** Frees what a yes has set aside that was not said in time, or that the processor has not used. Any number of times. */
export async function takeBackYes(deps: CardPaymentDeps, decision_id: string): Promise<void> {
  const known = await findCardDecision(deps.db, {}, decision_id);
  if (known?.decision !== 'approve') return;
  await transact(deps.db, async (tx) => {
    const card = await lockIssuedCard(tx, {}, known.card_id);
    if (card) await takeBack(deps, tx, card, known);
  });
}

/**
 * The same for the yes to a transaction that the processor has as declined. The card is locked. Undefined where nothing was
 * asked about that transaction.
 */
export async function takeBackWithin(
  deps: CardPaymentDeps,
  tx: Db,
  card: IssuedCard,
  transaction_token: string,
): Promise<string | undefined> {
  const [given] = await decisionsOfTransaction(tx, card.card_id, transaction_token);
  if (given === undefined) return undefined;
  if (given.decision !== 'approve') return 'declined';
  return (await takeBack(deps, tx, card, given)) ? 'taken_back' : 'declined';
}

async function takeBack(
  deps: CardPaymentDeps,
  tx: Db,
  card: IssuedCard,
  given: CardDecision,
): Promise<boolean> {
  const decision = await timeOutDecision(tx, given.decision_id);
  if (!decision) return false;
  emitDecisionTimedOut(tx, decision);
  const payment = decision.payment_id && (await lockCardPayment(tx, decision.payment_id));
  if (!payment || given.amount === 0n) return true;
  await bookElement(deps, tx, {
    card: await payingCardOf(tx, card),
    message: messageOurs(payment, {
      token: given.transaction_token,
      networkReference: given.network_reference,
      sequence: `late:${given.decision_id}`,
      units: given.amount,
    }),
    type: 'reversal',
    amount: given.amount,
    isFinal: false,
    mustHold: false,
    decision_id: given.decision_id,
    found: { payment, new_id: payment.payment_id },
  });
  return true;
}
