import type { Address } from 'viem';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Chain, Head, OwnBalance } from '../port.ts';
import { chainFault } from './fault.ts';
import type { EvmChain } from './port.ts';
import { readBalances, typedEvmAddress } from './reads.ts';
import { evmView } from './view/view.ts';

/** The platform's wallets by their names; asked for when they are needed, as their keys are derived then. */
export type OwnWallets = () => Readonly<Record<string, Address>>;

/** What it has in common with all other chains. */
export const asChain = (chain: EvmChain, own: OwnWallets = () => ({})): Chain => ({
  key: chain.info.key,
  native: chain.info.native,
  isOwn: chain.isEmbedded,
  addressForm: '0x and 40 hex digits, with their checksum where the case is mixed',
  typedAddress: async (text) => typedEvmAddress(text, { MOCK_MODE: false }),
  isRunning: chain.isRunning,
  head: () => headOf(chain),
  ownBalances: () => balancesOf(chain, own),
  view: evmView(chain),
});

async function headOf(chain: EvmChain): Promise<Outcome<Head>> {
  try {
    const { number, timestamp } = await (await chain.client()).getBlock();
    return done({ height: Number(number), at: new Date(Number(timestamp) * 1000) });
  } catch (error) {
    return unknown(chainFault(error).message);
  }
}

const COIN = 1e18;
const TOKEN = 1e6;

async function balancesOf(
  chain: EvmChain,
  own: OwnWallets,
): Promise<Outcome<readonly OwnBalance[]>> {
  const reading = Object.entries(own()).map(async ([wallet, address]): Promise<OwnBalance[]> => {
    const { native, tokens } = await readBalances(chain, address, [chain.contracts.usdc]);
    return [
      { wallet, asset: 'native', amount: Number(native) / COIN },
      { wallet, asset: 'USDC', amount: Number(tokens[0] ?? 0n) / TOKEN },
    ];
  });
  try {
    return done((await Promise.all(reading)).flat());
  } catch (error) {
    return unknown(chainFault(error).message);
  }
}
