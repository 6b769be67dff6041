/** The currencies a wallet can have (decisions: Where the contract names a thing). */
export const FIAT = ['USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND'] as const;
export type Fiat = (typeof FIAT)[number];

const BY_COUNTRY: Readonly<Record<string, Fiat>> = {
  ID: 'IDR',
  SG: 'SGD',
  US: 'USD',
  IN: 'INR',
  AU: 'AUD',
  VN: 'VND',
};

/** What a client's users hold and are shown amounts in. */
export const fiatCurrencyOf = (country_code: string): Fiat => BY_COUNTRY[country_code] ?? 'USD';
