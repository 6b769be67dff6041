import { checkDestination } from '#chains/destinations.ts';
import {
  type DestinationFault,
  readDestination,
  type TaggedAddress,
  type XrplNetwork,
} from '#chains/xrpl/port.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { type Money, money } from '#kernel/money/money.ts';
import type { FiatInput } from './fiat-end.ts';

/** As the endpoint takes it. */
export interface OfframpInput extends FiatInput {
  readonly currency_code: string;
  readonly amount?: string;
  readonly usdc_amount?: string;
  readonly destination_address?: string;
  readonly destination_tag?: number;
}

/** USDC that goes to an address on the ledger, or is sold for a currency. */
export type Read = { readonly usdc: Money<'USDC'> } & (
  | { readonly payee: TaggedAddress }
  | { readonly target: Fiat }
);

const FIAT_NEEDS = 'For fiat payout, provide usdc_amount and target_fiat';
const FIELDS_OF_FIAT = ['target_fiat', 'destination_bank'] as const;

/**
 * Reads the request: `amount` and `usdc_amount` are two names of one field, and an address and a currency exclude
 * each other. Throws VALIDATION_ERROR for both, for neither, and for an address that must not be paid.
 */
export async function readOfframp(
  xrpl: Pick<XrplNetwork, 'forbids'>,
  input: OfframpInput,
): Promise<Read> {
  const { amount, usdc_amount, destination_address: address, target_fiat: target } = input;
  if (amount !== undefined && usdc_amount !== undefined)
    throw fail('VALIDATION_ERROR', 'Provide either amount OR usdc_amount');
  const text = usdc_amount ?? amount;
  if (address === undefined) {
    if (text === undefined || target === undefined) throw fail('VALIDATION_ERROR', FIAT_NEEDS);
    if (input.destination_tag !== undefined)
      throw wrongField('destination_tag', 'goes with destination_address only');
    return { usdc: money('USDC', text), target };
  }
  for (const field of FIELDS_OF_FIAT)
    if (input[field] !== undefined)
      throw fail('VALIDATION_ERROR', `Provide either destination_address OR ${field}`);
  if (text === undefined) throw fail('VALIDATION_ERROR', 'Provide amount (USDC)');
  const usdc = money('USDC', text);
  return { usdc, payee: await payeeOf(xrpl, address, input.destination_tag) };
}

async function payeeOf(
  xrpl: Pick<XrplNetwork, 'forbids'>,
  text: string,
  tag: number | undefined,
): Promise<TaggedAddress> {
  const payee = await readDestination(text, tag);
  if (typeof payee === 'string') throw wrongField(...FAULTS[payee]);
  await checkDestination(xrpl, payee.address, { field: 'destination_address' });
  return payee;
}

const FAULTS: Readonly<Record<DestinationFault, readonly [string, string]>> = {
  invalid: ['destination_address', 'must be an address of the XRP Ledger'],
  'main-net': ['destination_address', 'is an X-address of the main network, not of a test network'],
  'tags differ': ['destination_tag', 'is not the tag in the X-address'],
};
