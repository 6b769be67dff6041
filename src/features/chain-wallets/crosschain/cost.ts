import type { EvmNetwork } from '#chains/evm/port.ts';
import { readMarket } from '#features/fiat/fx/fx.ts';
import { worthAtMost } from '#kernel/money/cost.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { toCrosschainAppError } from './faults.ts';
import type { CrosschainTransfer } from './store.ts';

/** What a mint takes at the most; Circle's contracts check signatures besides. */
export const MINT_GAS = { BRIDGE: 160_000n, CCTP: 260_000n } as const;

/**
 * What a transfer takes from the platform, in millionths of a USDC: the gas of the mint, at the gas price and the price
 * of the coin of now. The payer's wallet pays for the burn. Nothing on a node of our own. The contract promises transfers from
 * 1.00 USDC on, so it refuses no amount: it is counted against what the platform pays in a day.
 */
export async function mintCost(
  { evm, fx }: { readonly evm: Pick<EvmNetwork, 'chains'>; readonly fx: ExchangeRates },
  { to_chain, bridge_route }: Pick<CrosschainTransfer, 'to_chain' | 'bridge_route'>,
  moreGas = 0n,
): Promise<bigint> {
  const chain = evm.chains[to_chain];
  if (chain.isEmbedded) return 0n;
  try {
    const units = await chain.gasCost(MINT_GAS[bridge_route] + moreGas);
    return worthAtMost(await readMarket(fx), [{ asset: chain.info.native as Asset, units }]);
  } catch (error) {
    throw toCrosschainAppError(error, chain);
  }
}
