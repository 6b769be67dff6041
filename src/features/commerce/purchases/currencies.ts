import type { Convertible } from '#features/fiat/fx/fx.ts';

/** What a price can be in. */
export type PriceCurrency = Exclude<Convertible, 'USDC'>;

type Mark = '.' | ',';

interface Usage {
  /** What people put in front of or behind an amount, in capitals; the code itself is known, too. */
  readonly signs: readonly string[];
  /** Which marks part thousands where the currency is used; elsewhere three digits behind one are ambiguous. */
  readonly groups: readonly Mark[];
  /** Hundreds of thousands are parted in twos: 1,23,456. */
  readonly byTwos?: boolean;
}

/** How each currency is written. */
export const USAGES: Readonly<Record<PriceCurrency, Usage>> = {
  USD: { signs: ['US$', '$US', 'U$S', '$'], groups: [','] },
  SGD: { signs: ['S$', 'SG$', '$'], groups: [','] },
  AUD: { signs: ['A$', 'AU$', '$'], groups: [','] },
  INR: { signs: ['₹', 'RS', 'RS.'], groups: [','], byTwos: true },
  // English pages of their shops write a comma, and nobody writes three decimals of either.
  IDR: { signs: ['RP', 'RP.'], groups: ['.', ','] },
  VND: { signs: ['₫', 'Đ', 'VNĐ'], groups: ['.', ','] },
  // In Dublin and in Berlin.
  EUR: { signs: ['€'], groups: ['.', ','] },
  GBP: { signs: ['£'], groups: [','] },
  // ¥ alone may be yuan as well.
  JPY: { signs: ['円', 'JP¥'], groups: [','] },
};

export const PRICE_CURRENCIES = Object.keys(USAGES) as PriceCurrency[];

/** What a sign of several currencies means where nothing else is said. */
export const PLAIN: Readonly<Record<string, PriceCurrency>> = { $: 'USD' };

const BY_SIGN = new Map<string, PriceCurrency[]>();
for (const currency of PRICE_CURRENCIES)
  for (const sign of [currency, ...USAGES[currency].signs])
    BY_SIGN.set(sign, [...(BY_SIGN.get(sign) ?? []), currency]);

/** The currencies that a sign or code may mean; none for what is no sign of ours. */
export const currenciesOf = (sign: string): readonly PriceCurrency[] =>
  BY_SIGN.get(sign.toUpperCase()) ?? [];
