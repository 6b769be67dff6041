import { Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { wrongField } from '#kernel/error.ts';
import { nameInput } from '#kernel/http/declare/schema.ts';
import { type Asset, type Money, money } from '#kernel/money/money.ts';
import { type CardFault, type CardNetworkCharge, readCard } from '#providers/card-network/port.ts';

/** Also as printed on the card: in groups. */
export const CardNumber = Type.String({
  pattern: '^(?:[0-9]{4} ?){3}[0-9]{4}$',
  description: '16 digits, spaces between them or not',
});
export const Expiry = Type.String({
  pattern: '^(0[1-9]|1[0-2])[0-9]{2}$',
  description: 'MMYY',
  examples: ['1232'],
});
export const Cvv = Type.String({ pattern: '^[0-9]{3}$', description: '3 digits' });

/** A name is stored and shown, so nothing that looks like a card number may slip in with it. */
export const RecipientName = Type.Unsafe<string>({
  ...nameInput(100),
  pattern: '^(?!(?:\\P{Nd}*\\p{Nd}){12})',
  plain_pattern: '',
  description: 'with fewer than twelve digits',
});

interface Typed {
  readonly card_number: string;
  readonly expiry_date?: string;
  readonly cvv?: string | undefined;
}

const FAULTS: Readonly<Record<CardFault, readonly [field: string, message: string]>> = {
  number: ['card_number', 'is not a card number: its last digit does not fit the others'],
  expiry: ['expiry_date', 'is not in the future'],
  cvv: ['cvv', 'must have 3 digits'],
};

/** The card, as far as it can be checked without the issuer; the error never has its number. */
export function cardOf(
  { card_number, expiry_date, cvv }: Typed,
  clock: Clock,
): CardNetworkCharge['card'] {
  const read = readCard(
    {
      number: card_number,
      ...(expiry_date === undefined ? {} : { expiry: expiry_date }),
      ...(cvv === undefined ? {} : { cvv }),
    },
    clock.now(),
  );
  if ('card' in read) return read.card;
  const [field, message] = FAULTS[read.fault];
  throw wrongField(field, message);
}

/** The network's format: twelve digits before the point. */
const WHOLE_DIGITS_MAX = 12;

/** An amount as typed, in the currency's own decimals. */
export function chargeOf<A extends Asset>(currency: A, amount: string): Money<A> {
  if ((amount.split('.', 1)[0] ?? '').length > WHOLE_DIGITS_MAX) {
    const message = `must have at most ${WHOLE_DIGITS_MAX} digits before the point`;
    throw wrongField('amount', message, { code: 'INVALID_AMOUNT' });
  }
  return money(currency, amount);
}
