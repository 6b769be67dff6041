import type { Address } from 'viem';
import { ChainError, type EvmChain, readBalances } from '#chains/evm/port.ts';
import type { Shortage } from '#features/wallet-holds/wallet-holds.ts';
import type { AppError } from '#kernel/http/error.ts';
import { type Asset, isAsset, SCALE } from '#kernel/money/money.ts';
import { insufficient, toAppError } from './faults.ts';
import { moveCall, type Order } from './order.ts';
import type { Send } from './store.ts';

interface Cost {
  readonly from: Address;
  readonly order: Order;
  readonly fee: bigint;
  readonly treasury: Address;
  readonly gasPricePoints: bigint;
}

/** Wei that the gas of a send and of its fee cost at most. */
interface Gas {
  readonly send: bigint;
  readonly fee: bigint;
}

/**
 * A fee follows its send by some blocks, in each of which the price of gas may rise by an eighth. What
 * is not used of it stays in the wallet.
 */
const FEE_GAS_MARGIN = 2n;

/**
 * Simulates a send and its fee, and asks whether the wallet can pay for both and their gas.
 * INSUFFICIENT_FUNDS says what is required and available; nothing is signed or written down.
 */
export async function checkFunds({
  from,
  order,
  fee,
  treasury,
  gasPricePoints,
}: Cost): Promise<Gas> {
  const { chain, asset, token_contract, to, units } = order;
  const isNative = token_contract === 'native';
  try {
    const tokens = isNative ? [] : [token_contract as Address];
    const balances = await readBalances(chain, from, tokens);
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
    const gas = { send: main.maxGasFee, fee: (second?.maxGasFee ?? 0n) * FEE_GAS_MARGIN };
    const required = gas.send + gas.fee + (isNative ? moved : 0n);
    if (balances.native < required)
      throw insufficient(chain.info.native, 18, required, balances.native);
    return gas;
  } catch (error) {
    throw error instanceof ChainError ? toAppError(error, chain) : error;
  }
}

/** What is required and available beside what the wallet's other transactions will take. */
export const beside = (chain: EvmChain, asset: Asset, { token_contract, ...numbers }: Shortage) => {
  const symbol = token_contract === 'native' ? chain.info.native : asset;
  return insufficient(symbol, SCALE[symbol], numbers.required, numbers.available);
};

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
    const balances = await readBalances(chain, wallet_address, tokens);
    const held = isNative ? balances.native : (balances.tokens[0] ?? 0n);
    const scale = isAsset(token_symbol) ? SCALE[token_symbol] : 18;
    const required = units + fee_units;
    return held < required ? insufficient(token_symbol, scale, required, held) : undefined;
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
