import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { CardPaymentDeps } from './deps.ts';
import { CARD_PAYMENT_EVENTS, ISSUED_CARD_PAYMENTS } from './events.ts';
import { cardProcessorInbox } from './news.ts';
import { CARD_PAYMENTS_PERSON_DATA } from './person-data.ts';
import { CARD_PAYMENT_HOLDS } from './postings.ts';
import { cardProcessorRoutes } from './processor-routes.ts';
import { issuedCardRail } from './rail.ts';
import { CARD_PAYMENTS_WORDS } from './reference.ts';
import { cardPaymentRoutes } from './routes.ts';
import { confirmYeses, expireHolds } from './upkeep.ts';

export { type DisputedChange, type DisputeElement, noteDispute } from './disputed.ts';
export { disputableSettlement, keptBySeller } from './disputed-store.ts';
export { type CardPayment, findCardPayment, lockCardPayment } from './payment-store.ts';
export { CARD_PAYMENT_HOLDS, openCreditOf, sharesOf, smaller } from './postings.ts';

type Given = Omit<CardPaymentDeps, 'counted'> & Pick<Kernel, 'metrics'>;

/** What issued cards pay: decided in real time, and followed until it is settled. */
export function createCardPayments({ metrics, ...given }: Given): Feature {
  const count = metrics.counter(
    'archipay_card_decisions',
    'Answers to the processor of cards, by what was said and why',
    ['decision', 'reason'],
  );
  const counted: CardPaymentDeps['counted'] = (decision, reason) => count({ decision, reason });
  const deps = { ...given, counted };
  const inbox = cardProcessorInbox(deps);
  return {
    name: 'card-payments',
    personData: CARD_PAYMENTS_PERSON_DATA,
    reference: CARD_PAYMENTS_WORDS,
    routes: [...cardProcessorRoutes(deps, inbox), ...cardPaymentRoutes],
    inboxes: [inbox],
    rails: [issuedCardRail(deps.issuing)],
    schedules: [expireHolds(deps), confirmYeses(deps)],
    events: CARD_PAYMENT_EVENTS,
    holds: [CARD_PAYMENT_HOLDS],
    payments: [
      { object: 'payment', rail: 'issued_card', source: ISSUED_CARD_PAYMENTS },
      { object: 'refund', rail: 'issued_card', source: ISSUED_CARD_PAYMENTS },
    ],
  };
}
