import { Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { explained } from '#kernel/http/declare/schema.ts';
import { type Card, type CardFault, readCard } from '#providers/card-network/port.ts';

const TEXT_MAX = 50;
const field = (meaning: string) =>
  Type.Optional(explained(Type.String({ maxLength: TEXT_MAX }), meaning));

/** What a person types of a card: read by us, so that the page says what is wrong with it. */
export const typedCard = {
  card_number: field('16 digits, spaces between them or not'),
  expiry_date: field('MMYY, also with something between the two'),
  cvv: field('The three digits on the back'),
};

export interface TypedCard {
  readonly card_number?: string | undefined;
  readonly expiry_date?: string | undefined;
  readonly cvv?: string | undefined;
}

const FIELDS: Readonly<Record<CardFault, keyof TypedCard>> = {
  number: 'card_number',
  expiry: 'expiry_date',
  cvv: 'cvv',
};

/** The card that was typed; or the field that is missing or wrong. */
export function readTypedCard(
  { clock }: { readonly clock: Clock },
  { card_number = '', expiry_date = '', cvv = '' }: TypedCard,
): Card | keyof TypedCard {
  const expiry = expiry_date.replace(/[\s/.-]/g, '');
  const typed = { number: card_number.trim(), expiry, cvv: cvv.trim() };
  const read = readCard(typed, clock.now());
  return 'card' in read ? read.card : FIELDS[read.fault];
}
