import type { IssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import type { CardNews } from '#providers/issuing/port.ts';
import {
  type Booked,
  type Booking,
  bookElement,
  messageNames,
  networkReferenceOf,
} from './book.ts';
import { findDecisionByKey, type NewCardDecision, writeDecisionOfCard } from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import { lockNamedPayment } from './payment-store.ts';
import { payingCardOf } from './question.ts';

/** Books what the processor has said yes to in our place, with its decision. The card is locked. */
export async function bookStandInYes(
  deps: CardPaymentDeps,
  tx: Db,
  card: IssuedCard,
  booking: Booking,
): Promise<Booked | undefined> {
  const found = await foundFor(deps, tx, card, booking.message);
  const decision_id = await writeStandIn(deps, tx, card, {
    message: booking.message,
    payment_id: found.payment?.payment_id ?? found.new_id,
    said: { decision: 'approve', amount: booking.message.units, reason: null },
  });
  return bookElement(deps, tx, { ...booking, found, decision_id });
}

/** Keeps what it has said no to, without a question to us. */
export async function bookStandInNo(
  deps: CardPaymentDeps,
  tx: Db,
  card: IssuedCard,
  news: CardNews,
): Promise<string> {
  const isPayment = news.kind === 'authorization' || news.kind === 'advice';
  if (!isPayment || news.units === 0n || news.currency !== card.currency) return 'declined';
  const found = await foundFor(deps, tx, card, news);
  const decision_id = await writeStandIn(deps, tx, card, {
    message: news,
    payment_id: found.payment?.payment_id ?? found.new_id,
    said: { decision: 'decline', amount: 0n, reason: 'stand_in_declined' },
  });
  if (decision_id === null) return 'declined';
  await bookElement(deps, tx, {
    card: await payingCardOf(tx, card),
    message: news,
    type: 'decline',
    amount: news.units,
    isFinal: false,
    mustHold: false,
    decision_id,
    found,
    failure: {
      code: 'stand_in_declined',
      message: 'Declined: stand_in_declined',
      retryable: false,
      at: deps.clock.now().toISOString(),
    },
  });
  return 'stand_in_declined';
}

const foundFor = async (
  { clock }: CardPaymentDeps,
  tx: Db,
  { card_id }: IssuedCard,
  message: Booking['message'],
) => ({
  payment: await lockNamedPayment(tx, card_id, messageNames(message)),
  new_id: newObjectUuid(clock.ms()),
});

/** Null where we have decided about the same ourselves. */
async function writeStandIn(
  { clock }: CardPaymentDeps,
  tx: Db,
  { card_id, client_id, user_id }: IssuedCard,
  made: {
    readonly message: Booking['message'];
    readonly payment_id: string;
    readonly said: Pick<NewCardDecision, 'decision' | 'amount' | 'reason'>;
  },
): Promise<string | null> {
  const { message, payment_id, said } = made;
  const key = {
    card_id,
    network_reference: networkReferenceOf(message),
    kind: 'authorization',
    sequence: message.sequence,
  } as const;
  if (await findDecisionByKey(tx, key)) return null;
  const at = (message.at ?? clock.now()).toISOString();
  const { decision_id } = await writeDecisionOfCard(tx, {
    ...key,
    ...said,
    decision_id: newObjectUuid(clock.ms()),
    client_id,
    user_id,
    payment_id,
    type: 'authorization',
    transaction_token: message.token,
    status: 'RESPONDED',
    asked: message.units,
    currency: message.currency,
    decided_by: 'stand_in',
    received_at: at,
    timeout_at: at,
    responded_at: at,
    ms: null,
    confirm_after: null,
    client_answer: null,
    client_reason: null,
  });
  return decision_id;
}
