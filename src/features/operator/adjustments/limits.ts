import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { type Asset, format, type Money, money } from '#kernel/money/money.ts';

/** The most that one adjustment may move: about ten thousand dollars. */
const MOST: Readonly<Record<Fiat, string>> = {
  USD: '10000',
  SGD: '13000',
  AUD: '15000',
  INR: '850000',
  IDR: '160000000',
  VND: '250000000',
};

/** The amount in units; its schema allows nothing below one. Throws LIMIT_EXCEEDED. */
export function withinLimit(currency: Fiat, amount: string): Money<Fiat> {
  const wanted = money(currency, amount);
  const most = money(currency, MOST[currency]);
  if (wanted.units > most.units)
    throw fail('LIMIT_EXCEEDED', `One adjustment moves at most ${format(most)} ${currency}`);
  return wanted;
}

/** The worth of those amounts, in about US cents. */
const MOST_CENTS = 1_000_000n;

/** The worth of the legs, in about US cents, rounded up; 0 for points, which are no money. */
export function worthOf(asset: Asset, units: bigint): bigint {
  const most = MOST[asset as Fiat];
  if (most === undefined) return 0n;
  const of = money(asset as Fiat, most).units;
  return (units * MOST_CENTS + of - 1n) / of;
}

/** The sum of the day's corrections with this one, in about US dollars, where it exceeds the limit. */
export const dayExceeded = (dayUsd: number): AppError =>
  fail('LIMIT_EXCEEDED', `All corrections of a day move at most about ${dayUsd} USD`, {
    hint: 'Approve it on another day (UTC), or raise CORRECTIONS_DAY_USD.',
  });
