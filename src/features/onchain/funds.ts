import type { Address } from 'viem';
import { ChainError } from '#chains/evm/fault.ts';
import { readBalances } from '#chains/evm/reads.ts';
import { SCALE } from '#kernel/money/money.ts';
import { insufficient, toldByChain } from './faults.ts';
import { moveCall, type Order } from './order.ts';

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
