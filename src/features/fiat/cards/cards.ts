import type { Attempts } from '#kernel/access/attempts.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { cardInbox, disputeNotice } from './callback.ts';
import { createDeclines, type Declines } from './declines.ts';
import { CARD_EVENTS, CARD_PAYMENTS } from './events.ts';
import { CARD_HOLDS } from './holds-store.ts';
import { CARDS_PERSON_DATA } from './person-data.ts';
import { type CardPulls, cardPulls } from './pull.ts';
import { cardRail } from './rail.ts';
import { CARDS_WORDS } from './reference.ts';
import { isDecline, isRetryable } from './refusals.ts';
import { cardRoutes } from './routes.ts';
import { type CardDeps, type CardKernel, createCardTransactions } from './transaction.ts';

export { CardNumber, Expiry } from './card-input.ts';
export { CARD_EVENT, type CardFlowEvent } from './events.ts';
export { spendCardCost } from './fee.ts';
export type { CardFlowOwner, CardFlowReturn } from './flow-owners.ts';
export { CARD_FLOW_MS, cardFlowOutcome, requireNoCardMoney } from './flow-states.ts';
export { CARD_HOLDS } from './holds-store.ts';
export type { CardPull, CardPulls } from './pull.ts';

/** Moves card money and guards it: one instance for all features that pull from cards. */
export interface CardMoney {
  readonly transactions: CardDeps;
  readonly declines: Declines;
  readonly pulls: CardPulls;
}

export function createCardMoney(given: CardKernel & { readonly attempts: Attempts }): CardMoney {
  const transactions = createCardTransactions(given);
  const declines = createDeclines(given);
  return { transactions, declines, pulls: cardPulls(transactions, declines) };
}

/** Top-ups from cards and payouts to them, and the effect that moves the money of all of them. */
export function createCards(
  { inboxes }: Pick<Kernel, 'inboxes'>,
  { transactions, declines }: CardMoney,
): Feature {
  const inbox = cardInbox(transactions);
  return {
    name: 'cards',
    personData: CARDS_PERSON_DATA,
    reference: CARDS_WORDS,
    payments: ['payment', 'refund', 'payout'].map((object) => ({
      object,
      rail: 'card',
      source: CARD_PAYMENTS,
      isDecline,
      isRetryable,
    })),
    routes: cardRoutes({ ...transactions, inboxes, inbox, declines }),
    effects: [transactions.effect],
    inboxes: [inbox],
    events: CARD_EVENTS,
    holds: [CARD_HOLDS],
    rails: transactions.config.MOCK_MODE
      ? []
      : [
          cardRail({
            ...transactions,
            noticeDisputes: disputeNotice({ ...transactions, inboxes, inbox }),
          }),
        ],
  };
}
