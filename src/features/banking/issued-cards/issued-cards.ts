import type { Feature } from '#kernel/feature.ts';
import { issuedCardActRoutes } from './act-routes.ts';
import { issueEffect, stateEffect } from './card-effects.ts';
import { openCardsOf } from './closing-store.ts';
import type { IssuedCardDeps } from './deps.ts';
import { ISSUED_CARD_EVENTS } from './events.ts';
import { expireCards } from './expire.ts';
import { cardPageRoutes } from './page-routes.ts';
import { ISSUED_CARDS_PERSON_DATA } from './person-data.ts';
import { ISSUED_CARDS_WORDS } from './reference.ts';
import { issuedCardRoutes } from './routes.ts';

export { holderToken } from './card-effects.ts';
export type { CardControls } from './controls.ts';
export { issuedCardId } from './presenters.ts';
export { findIssuedCard, type IssuedCard, lockIssuedCard } from './store.ts';

/** Cards on wallets, made by a processor. */
export function createIssuedCards(given: IssuedCardDeps): Feature {
  const deps = { ...given, issue: issueEffect(given), state: stateEffect(given) };
  return {
    name: 'issued-cards',
    personData: ISSUED_CARDS_PERSON_DATA,
    closing: [openCardsOf],
    reference: ISSUED_CARDS_WORDS,
    routes: [...issuedCardRoutes(deps), ...issuedCardActRoutes(deps), ...cardPageRoutes(deps)],
    effects: [deps.issue, deps.state],
    schedules: [expireCards(deps)],
    events: ISSUED_CARD_EVENTS,
  };
}
