/** The currencies of prices that we read. */
export type PriceCurrency = 'USD' | 'SGD' | 'AUD' | 'INR' | 'IDR' | 'VND' | 'EUR' | 'GBP' | 'JPY';

type Mark = '.' | ',';

interface Usage {
  /** The signs in front of or behind an amount, in capitals, beside the currency's code. */
  readonly signs: readonly string[];
  /** The marks that part thousands where the currency is used; three digits behind another one are ambiguous. */
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
  // English pages of their shops write a comma, and no shop writes three decimals.
  IDR: { signs: ['RP', 'RP.'], groups: ['.', ','] },
  VND: { signs: ['₫', 'Đ', 'VNĐ'], groups: ['.', ','] },
  // Dublin writes a comma, Berlin a dot.
  EUR: { signs: ['€'], groups: ['.', ','] },
  GBP: { signs: ['£'], groups: [','] },
  // ¥ alone may be yuan as well.
  JPY: { signs: ['円', 'JP¥'], groups: [','] },
};

export const PRICE_CURRENCIES = Object.keys(USAGES) as PriceCurrency[];

/** The currency of an ambiguous sign that stands alone. */
export const PLAIN: Readonly<Record<string, PriceCurrency>> = { $: 'USD' };

const BY_SIGN = new Map<string, PriceCurrency[]>();
for (const currency of PRICE_CURRENCIES)
  for (const sign of [currency, ...USAGES[currency].signs])
    BY_SIGN.set(sign, [...(BY_SIGN.get(sign) ?? []), currency]);

/** The currencies that a sign or code may mean; none for an unknown sign. */
export const currenciesOf = (sign: string): readonly PriceCurrency[] =>
  BY_SIGN.get(sign.toUpperCase()) ?? [];
