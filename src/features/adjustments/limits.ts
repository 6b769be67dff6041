import type { Fiat } from '#features/fiat-wallets/fiat-wallets.ts';
import { fail } from '#kernel/http/error.ts';
import { format, type Money, money } from '#kernel/money/money.ts';

/** What one adjustment may move at the most: about ten thousand dollars. */
const MOST: Readonly<Record<Fiat, string>> = {
  USD: '10000',
  SGD: '13000',
  AUD: '15000',
  INR: '850000',
  IDR: '160000000',
  VND: '250000000',
};

/** The amount in units, which is more than nothing by its schema. Throws LIMIT_EXCEEDED. */
export function withinLimit(currency: Fiat, amount: string): Money<Fiat> {
  const wanted = money(currency, amount);
  const most = money(currency, MOST[currency]);
  if (wanted.units > most.units)
    throw fail('LIMIT_EXCEEDED', `One adjustment moves at most ${format(most)} ${currency}`);
  return wanted;
}
