import { getAddress, pad, toHex, zeroAddress } from 'viem';
import { type Destinations, each, type ForbiddenAddress, listed } from '../destinations.ts';
import type { EvmNetwork } from './port.ts';
import { addressOf } from './reads.ts';

/** Contracts at the same small numbers on every chain: 1 to 0x11, and 0x100 for P-256 signatures. */
const PRECOMPILES = [...Array.from({ length: 0x11 }, (_, i) => i + 1), 0x100].map((number) =>
  getAddress(pad(toHex(number), { size: 20 })),
);
/** Neon's own: 0xff00…0001 to 0xff00…000a. */
const NEON_PRECOMPILES = Array.from({ length: 10 }, (_, i) =>
  getAddress(`0xff${toHex(i + 1, { size: 19 }).slice(2)}`),
);
/** Where people destroy tokens, and what stands for "no token" or "the system" elsewhere. */
const BURN_ADDRESSES = [
  '0x000000000000000000000000000000000000dEaD',
  '0xdEAD000000000000000042069420694206942069',
  '0xdead000000000000000000000000000000000000',
  '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  '0xffffffffffffffffffffffffffffffffffffffff',
  '0xfffffffffffffffffffffffffffffffffffffffe',
].map((address) => getAddress(address));
/** Deploys what others send it, on most chains at this address. */
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/**
 * The same on all EVM chains, since the platform's keys are: an address that is our contract on one of them belongs to no one
 * account on the others. `others` are contracts beside ours, such as those of another bridge. An address is
 * known in any case of its letters.
 */
export function evmDestinations(
  network: Pick<EvmNetwork, 'chains' | 'keys'>,
  others: readonly string[],
): Destinations {
  const list = listed(() => allOf(network, others));
  return { ...list, forbids: (address) => list.forbids(addressOf(address) ?? address) };
}

function allOf(
  { chains, keys }: Pick<EvmNetwork, 'chains' | 'keys'>,
  others: readonly string[],
): ForbiddenAddress[] {
  const contracts = Object.values(chains).flatMap((chain) => Object.values(chain.contracts));
  const { faucet, hot, deployer, relayer, treasury } = keys;
  return [
    ...each('NOBODY', [zeroAddress, ...BURN_ADDRESSES]),
    ...each('CONTRACT', [...PRECOMPILES, ...NEON_PRECOMPILES, FACTORY]),
    ...each(
      'CONTRACT',
      [...contracts, ...others].map((address) => getAddress(address)),
    ),
    ...each(
      'PLATFORM',
      [faucet, hot, deployer, relayer, treasury].map(({ address }) => address),
    ),
  ];
}
