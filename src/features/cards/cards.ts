import type { Attempts } from '#kernel/access/attempts.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { cardInbox } from './callback.ts';
import { createDeclines } from './declines.ts';
import { cardRail } from './rail.ts';
import { cardRoutes } from './routes.ts';
import { type CardKernel, createCardTransactions } from './transaction.ts';

type CardsDeps = CardKernel & Pick<Kernel, 'inboxes'> & { readonly attempts: Attempts };

/** Top-ups from cards and payouts to them, and the effect that moves the money of all of them. */
export function createCards(given: CardsDeps): Feature {
  const transactions = createCardTransactions(given);
  const inbox = cardInbox(transactions);
  return {
    name: 'cards',
    routes: cardRoutes({ ...given, ...transactions, inbox, declines: createDeclines(given) }),
    effects: [transactions.effect],
    inboxes: [inbox],
    rails: given.config.MOCK_MODE ? [] : [cardRail(given)],
  };
}
