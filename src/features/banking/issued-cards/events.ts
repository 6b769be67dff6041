import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  issuedCardId,
  type NamedIssuedCard,
  namedIssuedCard,
  ShownIssuedCard,
  shownIssuedCard,
} from './presenters.ts';
import type { IssuedCard } from './store.ts';

const AT = '2026-11-28T03:00:58.447Z';

const cards = defineObject<NamedIssuedCard, typeof ShownIssuedCard>({
  schema: ShownIssuedCard,
  since: '2026-11',
  example: {
    card_id: objectId('crd', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30'),
    user_id: 3,
    wallet_id: 3,
    currency: 'USD',
    brand: 'VISA',
    last4: '4242',
    expiry: '11/30',
    name_on_card: 'Siti Rahma',
    usage: 'many',
    valid_until: null,
    status: 'ACTIVE',
    frozen_by: null,
    closed_reason: null,
    failure_code: null,
    replaces: null,
    replaced_by: null,
    controls: { spending_limits: [{ interval: 'day', amount: '200.00' }], online: true },
    client_controls: {},
    reference: 'travel-card',
    metadata: {},
    version: 3,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ card }) => ({
    client_id: card.client_id,
    user_id: card.user_id,
    id: issuedCardId(card),
    operation: card.operation,
  }),
  show: shownIssuedCard,
}).events('card', {
  created: 'A card was asked for; the processor makes it',
  issued: 'The processor has made the card: its owner can activate it',
  failed: 'The processor has not made the card',
  activated: 'Its owner has activated the card',
  frozen: 'The card pays nothing until it is unfrozen',
  unfrozen: 'The card pays again',
  changed: 'What the card may pay was changed',
  closed: 'The card was closed for good',
  replaced: 'The card was closed, and another is made in its place',
  expired: 'The time of the card is over',
});

export const ISSUED_CARD_EVENTS = cards.types;
type Verb = Parameters<typeof cards.emit>[1];

export const emitIssuedCard = cards.emit;

/** Emits the change of a card with the names that it has; answers it with them. */
export async function emitCardChange(
  tx: Db,
  verb: Verb,
  card: IssuedCard,
): Promise<NamedIssuedCard> {
  const named = await namedIssuedCard(tx, card, card.client_id);
  cards.emit(tx, verb, named);
  return named;
}
