import { type TSchema, Type } from 'typebox';
import { wrongField } from '../error.ts';
import { explained, oneOfWords } from '../http/declare/schema.ts';
import { type Money, money, SCALE } from './money.ts';

/** The currencies of amounts in requests and answers. */
const CURRENCIES = ['USD', 'SGD', 'AUD', 'INR', 'IDR', 'VND', 'USDC'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The currency of an amount, in a request or an answer. */
export const CurrencyField = oneOfWords(CURRENCIES);

/** Digits before the point. */
const WHOLE_DIGITS_MAX = 15;

/** A positive amount in a request, as decimal text or an exact number; handlers get text for `moneyOf`. */
export const MoneyInput = Type.Unsafe<string>({
  wire: 'amount',
  digits: WHOLE_DIGITS_MAX,
  examples: ['12.50'],
});

/** An amount in an answer: decimal text with all digits of its currency (`format`). */
export const MoneyText = explained(
  Type.String({ examples: ['12.50'] }),
  'Decimal text with all digits of its currency',
);

/** `amount` and `currency` of a request. */
export const moneyInput = { amount: MoneyInput, currency: CurrencyField } satisfies Record<
  string,
  TSchema
>;

/**
 * The money of a validated amount. Throws VALIDATION_ERROR, which names the field, where it has more digits than its
 * currency.
 */
export function moneyOf<C extends Currency>(
  { amount, currency }: { readonly amount: string; readonly currency: C },
  field = 'amount',
): Money<C> {
  const [, fraction = ''] = amount.split('.');
  const digits = SCALE[currency];
  if (fraction.length > digits)
    throw wrongField(field, `must have at most ${digits} digits after the point in ${currency}`);
  return money(currency, amount);
}
