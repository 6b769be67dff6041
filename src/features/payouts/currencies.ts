import { type AppError, fail } from '#kernel/http/error.ts';

/** What the gateway pays out to banks, out of mock mode. */
export const PAYOUT_CURRENCIES = ['IDR'] as const;

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
