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

/** The currency of a client's users: their first wallet and shown amounts. */
export const fiatCurrencyOf = (country_code: string): Fiat => BY_COUNTRY[country_code] ?? 'USD';
