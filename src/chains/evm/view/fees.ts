import type { FeeSpeed, NetworkFee, NetworkFees } from '../../network-view.ts';
import type { EvmChain } from '../port.ts';

const BLOCKS = 20;
/** The tips of so many of a hundred transactions of a block were lower. */
const PERCENTILES = { slow: 10, normal: 50, fast: 90 } as const satisfies Record<FeeSpeed, number>;
const SPEEDS = Object.keys(PERCENTILES) as FeeSpeed[];
const TRANSFER_GAS = 21_000n;

/** What gas costs now: by the tips of the last blocks, or by the node's own price where it has no market of tips. */
export async function readFees(chain: EvmChain, hasTips: boolean): Promise<NetworkFees> {
  const client = await chain.client();
  if (!hasTips) return alike(await client.getGasPrice());
  const { baseFeePerGas, reward = [] } = await client.getFeeHistory({
    blockCount: BLOCKS,
    rewardPercentiles: Object.values(PERCENTILES),
  });
  const base = baseFeePerGas.at(-1) ?? 0n;
  const feeAt = (speed: FeeSpeed, nth: number): [FeeSpeed, NetworkFee] => {
    const tip = median(reward.map((tips) => tips[nth] ?? 0n));
    const price = base + tip;
    // Twice the base fee holds for six full blocks.
    const ceiling = { maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
    return [speed, { price, transferCost: price * TRANSFER_GAS, ...ceiling }];
  };
  return Object.fromEntries(SPEEDS.map(feeAt)) as Record<FeeSpeed, NetworkFee>;
}

function alike(price: bigint): NetworkFees {
  const fee = { price, transferCost: price * TRANSFER_GAS };
  return { slow: fee, normal: fee, fast: fee };
}

function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
}
