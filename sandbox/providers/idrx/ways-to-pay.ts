import { amountOf, idrxUnitsOf } from '#providers/idrx/wire.ts';

/** What their page adds for each way to pay, by their published table. */
export const WAYS = { QRIS: 'QRIS', VA: 'Virtual account', EWALLET: 'E-wallet' } as const;
export type Way = keyof typeof WAYS;
const feeOf = (way: Way, units: bigint): bigint =>
  ({ QRIS: 0n, VA: 300_000n, EWALLET: (units * 167n + 9_999n) / 10_000n })[way];
export const simulatedIdrxPriceOf = (
  { toBeMinted }: { readonly toBeMinted: string },
  way: Way,
): string => {
  const units = idrxUnitsOf(toBeMinted);
  return amountOf('IDR', units + feeOf(way, units));
};
