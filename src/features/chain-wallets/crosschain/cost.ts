import type { EvmNetwork } from '#chains/evm/port.ts';
import { readMarket } from '#features/fiat/fx/fx.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { worthAtMost } from '#kernel/money/cost.ts';
import { type Asset, format } from '#kernel/money/money.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { toCrosschainAppError } from './faults.ts';
import type { CrosschainTransfer } from './store.ts';
import { limitInWords, TRANSFER_LIMITS, whereFeeIs } from './terms.ts';

/** What a mint takes at the most; Circle's contracts check signatures besides. */
export const MINT_GAS = { BRIDGE: 160_000n, CCTP: 260_000n } as const;

/**
 * What a transfer takes from the platform, in millionths of a USDC: the gas of the mint, at the gas price and the price
 * of the coin of now. The payer's wallet pays for the burn. Nothing on a node of our own.
 */
export async function mintCost(
  { evm, fx }: { readonly evm: Pick<EvmNetwork, 'chains'>; readonly fx: ExchangeRates },
  { to_chain, bridge_route }: Pick<CrosschainTransfer, 'to_chain' | 'bridge_route'>,
): Promise<bigint> {
  const chain = evm.chains[to_chain];
  if (chain.isEmbedded) return 0n;
  try {
    const units = await chain.gasCost(MINT_GAS[bridge_route]);
    return worthAtMost(await readMarket(fx), [{ asset: chain.info.native as Asset, units }]);
  } catch (error) {
    throw toCrosschainAppError(error, chain);
  }
}

/** Throws AMOUNT_BELOW_MINIMUM for an amount whose fee is less than the mint costs, with the least that pays for it. */
export function mustPayFor(cost: bigint, units: bigint, to_chain: string): void {
  const least = whereFeeIs(cost);
  if (units >= least) return;
  throw least > TRANSFER_LIMITS.most ? tooDear(to_chain) : belowCost(least, to_chain);
}

const belowCost = (least: bigint, to_chain: string): AppError =>
  fail('AMOUNT_BELOW_MINIMUM', `Minimum transfer amount is ${limitInWords(least)}`, {
    details: {
      field: 'amount',
      minimum: format({ asset: 'USDC', units: least }),
      currency: 'USDC',
    },
    hint: `Gas on ${to_chain} costs more at the moment than the fee of less than ${limitInWords(least)}: send that much, or later.`,
  });

const tooDear = (to_chain: string): AppError =>
  fail('PROVIDER_UNAVAILABLE', `Gas on ${to_chain} is too dear at the moment`, { retryAfter: 600 });
