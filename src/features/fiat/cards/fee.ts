import { type Asset, type Money, percent } from '#kernel/money/money.ts';

/** Contract part 3, Limits: card fee. */
export const FEE_PERCENT = 3;

export interface Shares {
  /** What the platform takes, or gives back. */
  readonly fee: bigint;
  /** What the wallet gains, or gives back. */
  readonly net: bigint;
}

/** Of a checkout, in units: 3 percent, a started unit counting as a whole one; the rest is the wallet's. */
export function checkoutShares<A extends Asset>(amount: Money<A>): Shares {
  const fee = percent(amount, String(FEE_PERCENT), 'up').units;
  return { fee, net: amount.units - fee };
}

/**
 * Who pays a refund of `amount` units: the platform its share of the original fee, less what remains
 * of a unit, the wallet the rest. A refund of the whole is exactly what each of them got.
 */
export function refundShares(
  amount: bigint,
  original: { readonly amount: bigint; readonly platform_fee: bigint },
): Shares {
  const fee = (original.platform_fee * amount) / original.amount;
  return { fee, net: amount - fee };
}
