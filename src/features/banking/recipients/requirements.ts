import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import { HOST_BANKS, HOST_CURRENCIES, type HostCurrency } from '#providers/bank-host/port.ts';
import { GATEWAY_BANKS } from '#providers/gateway/port.ts';

export const RECIPIENT_KINDS = ['bank', 'wallet', 'evm', 'xrpl', 'cardano'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

/** What is paid there, and by whom: one of each has a schema of its details. */
export type RecipientRail =
  | { readonly kind: 'bank'; readonly country: 'ID'; readonly currency: 'IDR' }
  | { readonly kind: 'bank'; readonly country: string; readonly currency: HostCurrency }
  | { readonly kind: 'wallet'; readonly country: null; readonly currency: Currency | undefined }
  | {
      readonly kind: Exclude<RecipientKind, 'bank' | 'wallet'>;
      readonly country: null;
      readonly currency: 'USDC';
    };

/** What a request names of a rail. */
export interface RailInput {
  readonly kind: RecipientKind;
  readonly country?: string | undefined;
  readonly currency?: Currency | undefined;
}

/** The rail of a recipient. Throws RAIL_NOT_AVAILABLE where no rail pays that currency there. */
export function recipientRailOf({ kind, country, currency }: RailInput): RecipientRail {
  if (kind === 'bank') return bankRailOf(country?.toUpperCase(), currency);
  if (country !== undefined) throw notServed(`A recipient of kind ${kind} is in no country`);
  if (kind === 'wallet') {
    if (currency === 'USDC') throw notServed('A wallet has a currency of a state');
    return { kind, country: null, currency };
  }
  if (currency !== undefined && currency !== 'USDC')
    throw notServed(`A recipient of kind ${kind} is paid in USDC`);
  return { kind, country: null, currency: 'USDC' };
}

const BANK_RAILS: readonly Extract<RecipientRail, { kind: 'bank' }>[] = [
  { kind: 'bank', country: 'ID', currency: 'IDR' },
  ...HOST_CURRENCIES.map((currency) => {
    const { country } = HOST_BANKS[currency];
    return { kind: 'bank' as const, country, currency };
  }),
];

function bankRailOf(country: string | undefined, currency: Currency | undefined): RecipientRail {
  if (country === undefined && currency === undefined)
    throw wrongField('country', 'or currency is required for a bank account');
  const found = BANK_RAILS.find(
    (rail) =>
      (country === undefined || rail.country === country) &&
      (currency === undefined || rail.currency === currency),
  );
  if (found) return found;
  throw notServed(`No bank account in ${country ?? 'any country'} is paid ${currency ?? ''}`);
}

const notServed = (message: string) =>
  fail('RAIL_NOT_AVAILABLE', message.trim(), {
    hint: 'Read what a kind, country and currency needs: GET /recipients/requirements.',
  });

/** A JSON Schema of draft 2020-12, as callers get it. */
export interface RequirementSchema {
  readonly $schema: string;
  readonly title: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

const schema = (
  title: string,
  properties: RequirementSchema['properties'],
  required = Object.keys(properties),
): RequirementSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** What the details of a recipient of that rail have to be: the schema by which they are validated. */
export function requirementsOf(rail: RecipientRail): RequirementSchema {
  if (rail.kind === 'bank') {
    const { country, currency } = rail;
    const title = `Bank account in ${country}, paid in ${currency}`;
    return schema(title, currency === 'IDR' ? GATEWAY_ACCOUNT : hostAccount(currency));
  }
  return OTHERS[rail.kind];
}

const GATEWAY_ACCOUNT = {
  bank_code: {
    title: 'Bank',
    type: 'string',
    oneOf: Object.entries(GATEWAY_BANKS).map(([code, title]) => ({ const: code, title })),
    examples: ['BCA'],
  },
  account_number: {
    title: 'Account number',
    type: 'string',
    pattern: '^[0-9](?:[ -]?[0-9]){4,19}$',
    examples: ['1234567890'],
  },
};

function hostAccount(currency: HostCurrency): RequirementSchema['properties'] {
  const { country, code } = HOST_BANKS[currency];
  const bic = `[A-Z]{4}${country}[A-Z0-9]{2}(?:[A-Z0-9]{3})?`;
  const national = code?.pattern.slice(1, -1);
  return {
    bank_code: {
      title: code ? `${code.title}, or BIC` : 'BIC',
      type: 'string',
      pattern: national === undefined ? `^${bic}$` : `^(?:${bic}|${national})$`,
      examples: [code?.example ?? `BFTV${country}VX`],
    },
    account_number: {
      title: 'Account number',
      type: 'string',
      pattern: '^[0-9A-Za-z](?:[ -]?[0-9A-Za-z]){3,33}$',
      examples: ['12345678'],
    },
  };
}

const TAG_MAX = 4_294_967_295;

const OTHERS: Readonly<Record<Exclude<RecipientKind, 'bank'>, RequirementSchema>> = {
  wallet: schema('Wallet of a user of the same client', {
    wallet_id: { title: 'Wallet', type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  }),
  evm: schema('Address on an EVM chain, paid in USDC', {
    network: { title: 'Chain', type: 'string', enum: [...CHAIN_KEYS] },
    address: {
      title: 'Address',
      type: 'string',
      pattern: '^0x[0-9a-fA-F]{40}$',
      examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
    },
  }),
  xrpl: schema(
    'Address on the XRP Ledger, paid in USDC',
    {
      address: {
        title: 'Address',
        type: 'string',
        pattern: '^r[1-9A-HJ-NP-Za-km-z]{24,34}$',
        examples: ['rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'],
      },
      tag: { title: 'Destination tag', type: 'integer', minimum: 0, maximum: TAG_MAX },
    },
    ['address'],
  ),
  cardano: schema('Address on Cardano, paid in USDC', {
    address: {
      title: 'Address',
      type: 'string',
      pattern: '^addr(?:_test)?1[02-9ac-hj-np-z]{50,110}$',
    },
  }),
};
