import type { Address } from 'viem';
import { formatUnits } from 'viem';
import { ChainError, type EvmChain, readBalances } from '#chains/evm/port.ts';
import type {
  Shortage,
  Shortfall,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { type Asset, isAsset, SCALE } from '#kernel/money/money.ts';
import type { Send } from './store.ts';

/** INSUFFICIENT_FUNDS with what is required and available, as far as it is known. */
export function toOnchainShortfall({ asset, required, available }: Shortfall): AppError {
  const decimal = (units: bigint) => formatUnits(units, SCALE[asset]);
  return fail('INSUFFICIENT_FUNDS', `Not enough ${asset} for amount, fee and gas`, {
    details: {
      token_symbol: asset,
      ...(required !== undefined && { required: decimal(required) }),
      ...(available !== undefined && { available: decimal(available) }),
    },
  });
}

/** The same of what the wallet has beside what its other transactions will take. */
export const throwShortage = (
  { info }: EvmChain,
  asset: Asset,
  { token_contract, required, available }: Shortage,
): AppError =>
  toOnchainShortfall({
    asset: token_contract === 'native' ? info.native : asset,
    required,
    available,
  });

/**
 * INSUFFICIENT_FUNDS when a send that failed had been checked against funds that others have used
 * since; nothing when there is enough, or that is unknown.
 */
export async function shortage(
  chain: EvmChain,
  { wallet_address, token_contract, token_symbol, units, fee_units }: Send,
): Promise<AppError | undefined> {
  const isNative = token_contract === 'native';
  const asset = isAsset(token_symbol) ? token_symbol : chain.info.native;
  try {
    const tokens = isNative ? [] : [token_contract as Address];
    const balances = await readBalances(chain, wallet_address, tokens);
    const available = isNative ? balances.native : (balances.tokens[0] ?? 0n);
    const required = units + fee_units;
    return available < required ? toOnchainShortfall({ asset, required, available }) : undefined;
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
