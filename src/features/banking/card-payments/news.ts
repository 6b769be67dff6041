import { findIssuedCard, lockIssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import type { CardNews, CardNewsKind } from '#providers/issuing/port.ts';
import { bookElement, networkReferenceOf } from './book.ts';
import { confirmDecisions } from './decision-store.ts';
import type { CardPaymentDeps } from './deps.ts';
import { type ElementType, hasCardElement } from './payment-store.ts';
import { payingCardOf } from './question.ts';
import { bookStandInNo, bookStandInYes } from './stand-in.ts';
import { takeBackWithin } from './take-back.ts';

/** That something has happened: what it is the processor is asked. */
export interface CardHint {
  readonly token: string;
}

export type CardInbox = Inbox<CardHint, CardNews | undefined>;

/** The processor repeats a notification for twelve days. */
const KEPT_MS = 30 * 86_400_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the processor tells. A notification is a hint: the transaction is looked up, and counts as it is there. */
export const cardProcessorInbox = (deps: CardPaymentDeps): CardInbox =>
  defineInbox<CardHint, CardNews | undefined>({
    source: 'card-processor',
    keptMs: KEPT_MS,
    ask: ({ token }) => deps.issuing.findMessage(token),
    async handle(tx, _hint, { answer }) {
      const news = answer?.kind === 'done' ? answer.value : undefined;
      return news === undefined ? 'not_found' : bookNews(deps, tx, news);
    },
  });

const ELEMENT_OF: Readonly<Partial<Record<CardNewsKind, ElementType>>> = {
  authorization: 'authorization',
  increment: 'increment',
  advice: 'advice',
  reversal: 'reversal',
  expiration: 'expiration',
  settlement: 'settlement',
  refund_authorization: 'refund_authorization',
  refund: 'refund',
};

/** Books a message, once, in whichever order they come. Answers what was done, in a word. */
async function bookNews(deps: CardPaymentDeps, tx: Db, news: CardNews): Promise<string> {
  const known = UUID.test(news.cardToken)
    ? await findIssuedCard(tx, {}, news.cardToken)
    : undefined;
  const card = known && (await lockIssuedCard(tx, {}, known.card_id));
  if (!card) return 'unknown_card';
  const type = news.kind && ELEMENT_OF[news.kind];
  if (news.isDeclined)
    return (
      (await takeBackWithin(deps, tx, card, news.token)) ?? bookStandInNo(deps, tx, card, news)
    );
  await confirmDecisions(tx, card.card_id, news.token);
  if (type === undefined) return 'of_no_consequence';
  if (news.currency !== card.currency) {
    deps.log.error(
      { transaction: news.token },
      'A card was charged in another currency than its own',
    );
    return 'currency_not_supported';
  }
  // Our own yes has booked it.
  if (await isBooked(tx, card.card_id, news, type)) return 'known';
  const booking = {
    card: await payingCardOf(tx, card),
    message: news,
    type: AS_ADVICE[type] ?? type,
    amount: news.units,
    isFinal: news.isFinal || type === 'expiration',
    mustHold: false,
    decision_id: null,
  };
  const booked =
    booking.type === 'advice'
      ? await bookStandInYes(deps, tx, card, booking)
      : await bookElement(deps, tx, booking);
  return booked === undefined ? 'known' : 'booked';
}

/** What we have not said yes to ourselves was decided by somebody else. */
const AS_ADVICE: Readonly<Partial<Record<ElementType, ElementType>>> = {
  authorization: 'advice',
};

const isBooked = (tx: Db, card_id: string, news: CardNews, type: ElementType) =>
  hasCardElement(tx, {
    card_id,
    network_reference: networkReferenceOf(news),
    type,
    sequence: news.sequence,
  });
