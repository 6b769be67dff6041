import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  NAMELESS,
  type NamesReader,
  namesOf,
  type ObjectNames,
} from '#kernel/object-names/object-names.ts';
import { ShownControls } from './controls.ts';
import { CLOSED_REASONS, ISSUED_CARD_STATUSES, type IssuedCard } from './store.ts';

/** The type of its events, by which its names are kept. */
export const ISSUED_CARD = 'card';

export const ShownIssuedCard = named('IssuedCard', {
  card_id: objectIdField('crd'),
  user_id: Id,
  wallet_id: explained(Id, 'The wallet that it pays from'),
  currency: Type.String(),
  brand: Type.Literal('VISA'),
  last4: explained(TextOrNull, 'Null until the processor has made it'),
  expiry: explained(TextOrNull, 'The month after whose end it is not valid, `MM/YY`'),
  name_on_card: Type.String(),
  usage: oneOfWords(['many', 'single'] as const),
  valid_until: explained(Nullable(Timestamp), 'An earlier end, where one was given'),
  status: oneOfWords(ISSUED_CARD_STATUSES),
  frozen_by: explained(
    Nullable(oneOfWords(['OWNER', 'ADMIN'] as const)),
    'Who has frozen it: what an admin has frozen its owner does not unfreeze',
  ),
  closed_reason: Nullable(oneOfWords(CLOSED_REASONS)),
  failure_code: explained(TextOrNull, 'Why the processor has not made it'),
  replaces: explained(Nullable(objectIdField('crd')), 'The card in whose place it was made'),
  replaced_by: explained(Nullable(objectIdField('crd')), 'The card that was made in its place'),
  controls: ShownControls,
  client_controls: ShownControls,
  ...namesShown,
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export interface NamedIssuedCard {
  readonly card: IssuedCard;
  readonly names: ObjectNames;
}

export const issuedCardId = ({ card_id }: Pick<IssuedCard, 'card_id'>): string =>
  objectId('crd', card_id);

const idOrNull = (uuid: string | null): string | null =>
  uuid === null ? null : objectId('crd', uuid);

export const shownIssuedCard = ({
  card,
  names,
}: NamedIssuedCard): Static<typeof ShownIssuedCard> => ({
  card_id: issuedCardId(card),
  user_id: card.user_id,
  wallet_id: card.wallet_id,
  currency: card.currency,
  brand: 'VISA',
  last4: card.last4,
  expiry: card.expiry,
  name_on_card: card.name_on_card,
  usage: card.usage,
  valid_until: card.valid_until,
  status: card.status,
  frozen_by: card.frozen_by,
  closed_reason: card.closed_reason,
  failure_code: card.failure_code,
  replaces: idOrNull(card.replaces),
  replaced_by: idOrNull(card.replaced_by),
  controls: card.owner_controls,
  client_controls: card.client_controls,
  reference: names.reference,
  metadata: names.metadata,
  version: card.version,
  created_at: card.created_at,
  updated_at: card.updated_at,
});

/** Cards with what their callers call them: one statement for all. */
export async function namedIssuedCards(
  db: Db,
  cards: readonly IssuedCard[],
  reader: NamesReader,
): Promise<NamedIssuedCard[]> {
  const names = await namesOf(db, ISSUED_CARD, cards.map(issuedCardId), reader);
  return cards.map((card) => ({ card, names: names.get(issuedCardId(card)) ?? NAMELESS }));
}

export async function namedIssuedCard(
  db: Db,
  card: IssuedCard,
  reader: NamesReader,
): Promise<NamedIssuedCard> {
  const [one] = await namedIssuedCards(db, [card], reader);
  return one ?? { card, names: NAMELESS };
}
