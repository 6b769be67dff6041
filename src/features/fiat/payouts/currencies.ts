import { type AppError, fail } from '#kernel/error.ts';
import { format } from '#kernel/money/money.ts';
import type { PriceList } from '#kernel/money/price-list.ts';

/** Currencies in which the gateway pays banks, out of mock mode. */
const PAYOUT_CURRENCIES = ['IDR'] as const;

/** Throws AMOUNT_BELOW_MINIMUM for a payout, in units of IDR, that the gateway would not transfer. */
export function requireTransferable(prices: PriceList, units: bigint, field: string): void {
  const least = prices('gateway.payout_least');
  if (units >= least.units) return;
  const minimum = format(least);
  throw fail('AMOUNT_BELOW_MINIMUM', `A bank is paid at least ${minimum} IDR`, {
    details: { field, minimum, currency: least.asset },
    hint: `Send more, so that at least ${minimum} IDR arrive, or have a wallet credited instead.`,
  });
}

/** Throws PAYOUT_CURRENCY_UNAVAILABLE, before anything moves, where no provider pays the currency out. */
export function requirePayable(currency: string | undefined, field: string): void {
  const payable: readonly (string | undefined)[] = PAYOUT_CURRENCIES;
  if (!payable.includes(currency)) throw unavailable(currency, field);
}

const unavailable = (currency: string | undefined, field: string): AppError => {
  const available = [...PAYOUT_CURRENCIES];
  const list = available.join(', ');
  return fail('PAYOUT_CURRENCY_UNAVAILABLE', `Banks are paid in ${list} only, not in ${currency}`, {
    details: { field, available },
    hint: `Send ${field} ${list}, or have a wallet of that currency credited instead.`,
  });
};
