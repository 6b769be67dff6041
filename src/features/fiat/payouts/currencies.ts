import { type AppError, fail } from '#kernel/error.ts';
import { format, type Money } from '#kernel/money/money.ts';

/** What the gateway pays out to banks, out of mock mode. */
const PAYOUT_CURRENCIES = ['IDR'] as const;

/** What the gateway takes for a bank transfer, by its price list, and the least that it transfers. */
export const PAYOUT_COST: Money<'IDR'> = { asset: 'IDR', units: 250_000n };
const PAYOUT_LEAST: Money<'IDR'> = { asset: 'IDR', units: 1_000_000n };

/** Throws AMOUNT_BELOW_MINIMUM for a payout, in units of IDR, that the gateway would not transfer. */
export function mustBeTransferable(units: bigint, field: string): void {
  if (units >= PAYOUT_LEAST.units) return;
  const minimum = format(PAYOUT_LEAST);
  throw fail('AMOUNT_BELOW_MINIMUM', `A bank is paid at least ${minimum} IDR`, {
    details: { field, minimum, currency: PAYOUT_LEAST.asset },
    hint: `Send more, so that at least ${minimum} IDR arrive, or have a wallet credited instead.`,
  });
}

/** Throws PAYOUT_CURRENCY_UNAVAILABLE, before anything moves, where no provider pays the currency out. */
export function mustBePayable(currency: string | undefined, field: string): void {
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
