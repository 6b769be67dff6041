import type { Address } from 'viem';
import { ChainError } from '#chains/evm/fault.ts';
import type { EvmChain } from '#chains/evm/network.ts';
import { readBalances } from '#chains/evm/reads.ts';
import type { AppError } from '#kernel/http/error.ts';
import { isAsset, SCALE } from '#kernel/money/money.ts';
import { insufficient, toldByChain } from './faults.ts';
import { moveCall, type Order } from './order.ts';
import type { Send } from './store.ts';

interface Cost {
  readonly from: Address;
  readonly order: Order;
  readonly fee: bigint;
  readonly treasury: Address;
  readonly gasPricePoints: bigint;
}

/**
 * Simulates a send and its fee, and asks whether the wallet can pay for both and their gas.
 * INSUFFICIENT_FUNDS says what is required and available; nothing is signed or written down.
 */
export async function checkFunds({ from, order, fee, treasury, gasPricePoints }: Cost) {
  const { chain, asset, token_contract, to, units } = order;
  const isNative = token_contract === 'native';
  try {
    const tokens = isNative ? [] : [token_contract as Address];
    const balances = await readBalances(await chain.client(), from, tokens);
    const held = isNative ? balances.native : (balances.tokens[0] ?? 0n);
    const moved = units + fee;
    // What is plainly too much is not worth simulating, and its gas cannot be told anyway.
    if (held < moved) throw insufficient(asset, SCALE[asset], moved, held);
    const quote = (call: ReturnType<typeof moveCall>) =>
      chain.sender.quote({ from, ...call, gasPricePoints });
    const [main, second] = await Promise.all([
      quote(moveCall(token_contract, to, units)),
      fee > 0n ? quote(moveCall(token_contract, treasury, fee)) : undefined,
    ]);
    const gas = main.maxGasFee + (second?.maxGasFee ?? 0n);
    const required = isNative ? moved + gas : gas;
    if (balances.native < required)
      throw insufficient(chain.info.native, 18, required, balances.native);
  } catch (error) {
    throw error instanceof ChainError ? toldByChain(error, chain) : error;
  }
}

/**
 * INSUFFICIENT_FUNDS when a send that failed had been checked against funds that others have used
 * since; nothing when there is enough, or nobody can tell.
 */
export async function shortage(
  chain: EvmChain,
  { wallet_address, token_contract, token_symbol, units, fee_units }: Send,
): Promise<AppError | undefined> {
  const isNative = token_contract === 'native';
  try {
    const tokens = isNative ? [] : [token_contract as Address];
    const balances = await readBalances(await chain.client(), wallet_address, tokens);
    const held = isNative ? balances.native : (balances.tokens[0] ?? 0n);
    const scale = isAsset(token_symbol) ? SCALE[token_symbol] : 18;
    const required = units + fee_units;
    return held < required ? insufficient(token_symbol, scale, required, held) : undefined;
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
