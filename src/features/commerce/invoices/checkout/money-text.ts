import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { format } from '#kernel/money/money.ts';

/** An amount as readers of a language write it, escaped. Rupiah without cents where there are none. */
export function pageMoney(language: PageLanguage, currency: Fiat, units: bigint): string {
  const amount = format({ asset: currency, units });
  const form = new Intl.NumberFormat(language === 'id' ? 'id-ID' : 'en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    ...(currency === 'IDR' && units % 100n === 0n && { minimumFractionDigits: 0 }),
  });
  // As text: a number could not hold all of them exactly.
  return escapeHtml(form.format(amount as unknown as number));
}
