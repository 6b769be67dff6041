import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Chain, Head } from '../port.ts';
import type { EvmChain } from './evm-chain.ts';
import { chainFault } from './fault.ts';
import { typedAddress } from './reads.ts';

/** What it has in common with all other chains. */
export const asChain = (chain: EvmChain): Chain => ({
  key: chain.info.key,
  native: chain.info.native,
  isOwn: chain.isEmbedded,
  addressForm: '0x and 40 hex digits, with their checksum where the case is mixed',
  typedAddress: async (text) => typedAddress(text),
  isRunning: chain.isRunning,
  head: () => headOf(chain),
});

async function headOf(chain: EvmChain): Promise<Outcome<Head>> {
  try {
    const { number, timestamp } = await (await chain.client()).getBlock();
    return done({ height: Number(number), at: new Date(Number(timestamp) * 1000) });
  } catch (error) {
    return unknown(chainFault(error).message);
  }
}
