import { inspect } from 'node:util';

/**
 * A card as a person typed it. Printed, sent or copied, it shows no more than this.
 */
export interface Card {
  readonly last4: string;
  toJSON(): string;
  toString(): string;
}

export interface CardData {
  readonly number: string;
  /** `YYYY-MM`, as the network writes it. */
  readonly expiry?: string;
  readonly cvv?: string;
}

/** Stored beside the card instead of in it, so that only the network's adapter can read it. */
const contents = new WeakMap<Card, CardData>();
const HIDDEN = '[card]';

export function sealCard(data: CardData): Card {
  const card = Object.freeze({
    last4: data.number.slice(-4),
    toJSON: () => HIDDEN,
    toString: () => HIDDEN,
    [inspect.custom]: () => HIDDEN,
  });
  contents.set(card, data);
  return card;
}

/** For the adapter alone; a copy of a card opens nothing. */
export function openCard(card: Card): CardData {
  const data = contents.get(card);
  if (data === undefined) throw new Error('Not a card that was read here');
  return data;
}

/** The check digit that catches a mistyped number. */
export function luhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
