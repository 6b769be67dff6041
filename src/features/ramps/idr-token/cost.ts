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
 * The gateway's price of a payment beyond its fee. Only the fixed part: a share of the amount grows with it, so that
 * many small payments cost no more than a large one.
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
