import { uncovered } from '#kernel/money/cost.ts';
import type { Money } from '#kernel/money/money.ts';
import type { PriceItem, PriceList } from '#kernel/money/price-list.ts';
import type { PaymentMethod } from '#providers/gateway/port.ts';

const ITEMS = {
  QRIS: 'gateway.qris',
  VA: 'gateway.va',
  EWALLET: 'gateway.ewallet',
} as const satisfies Record<PaymentMethod, PriceItem>;

/**
 * What the gateway takes for a payment beyond its fee. Only what is the same for every amount: a share of the amount
 * grows with it, and no sum of small ones comes to more than one large.
 */
export const purchaseCost = (prices: PriceList, method: PaymentMethod, fee: bigint): Money =>
  beyond(prices(ITEMS[method]), fee);

/** The same of a bank transfer. */
export const redemptionCost = (prices: PriceList, fee: bigint): Money =>
  beyond(prices('gateway.payout'), fee);

const beyond = ({ asset, units }: Money, fee: bigint): Money => ({
  asset,
  units: uncovered(units, fee),
});
