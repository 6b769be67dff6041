import { formatUnits } from 'viem';
import { isAsset, SCALE } from '#kernel/money/money.ts';

/** An amount of a send's token as the log and its callers have it: without the zeros at the end. */
export function decimal(symbol: string, units: bigint): string {
  if (!isAsset(symbol)) throw new Error(`${symbol} is nothing that we send`);
  return formatUnits(units, SCALE[symbol]);
}
