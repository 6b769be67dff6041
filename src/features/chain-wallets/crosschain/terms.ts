import type { Address } from 'viem';
import { CHAINS, type ChainKey, isChainKey, typedEvmAddress } from '#chains/evm/port.ts';
import type { Config } from '#kernel/config/config.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { format, type Money, money, share } from '#kernel/money/money.ts';

/** Contract part 2, Limits: in USDC units of a millionth; the limit of a day is a policy. */
const TRANSFER_LIMITS = { least: 1_000_000n, most: 10_000_000_000n } as const;

/** 0.1 % in basis points, and at least 0.10 USD; a USDC is taken for a dollar. */
const FEE_POINTS = 10n;
const FEE_MIN = 100_000n;

export type Usdc = Money<'USDC'>;

/** The platform's fee of a transfer, on top of it. A started unit counts as a whole one. */
export function platformFee(amount: Usdc): Usdc {
  const { units } = share(amount, FEE_POINTS, 'up');
  return { asset: 'USDC', units: units < FEE_MIN ? FEE_MIN : units };
}

/** An amount within the limits of a single transfer (contract part 2, Limits). */
export function transferAmount(text: string): Usdc {
  const amount = money('USDC', text);
  const { least, most } = TRANSFER_LIMITS;
  if (amount.units < least)
    throw fail('AMOUNT_BELOW_MINIMUM', `Minimum transfer amount is ${limitInWords(least)}`);
  if (amount.units > most)
    throw fail(
      'LIMIT_EXCEEDED',
      `Maximum transfer amount is ${limitInWords(most)} per transaction`,
    );
  return amount;
}

const figures = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Units as messages say them: `50,000.00 USDC`. */
export const limitInWords = (units: bigint): string =>
  `${figures.format(format({ asset: 'USDC', units }) as Intl.StringNumericLiteral)} USDC`;

/** One of the three chains, or the contract's refusal. */
export function chainFor(token: string, chain: string): ChainKey {
  if (token === 'USDC' && isChainKey(chain)) return chain;
  throw fail('TOKEN_NOT_SUPPORTED', `Token ${token} is not supported on ${chain}.`);
}

/** By `chain_id` or by normalised name, whichever case; for filters. */
export function chainNamed(text: string): ChainKey | undefined {
  const wanted = text.toLowerCase();
  return Object.values(CHAINS).find(
    ({ key, name }) => key === wanted || name.toLowerCase() === wanted,
  )?.key;
}

/** An address that somebody meant to write. */
export function addressFor(text: string, what: string, mode: Pick<Config, 'MOCK_MODE'>): Address {
  const address = typedEvmAddress(text, mode);
  if (address === undefined)
    throw wrongField(what, 'must be a 0x address with a valid EIP-55 checksum');
  return address;
}
