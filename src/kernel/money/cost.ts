import { type Asset, convert, type Money } from './money.ts';

/** Who knows what one unit of an asset is worth in another, as decimal text; nothing where there is no market. */
export interface Market {
  rateOf(from: Asset, to: Asset): string | undefined;
}

/**
 * What costs come to in an asset over USDC, rounded up: so much has to be taken for an operation that the
 * platform pays them for. Nothing where one of them has no market.
 */
export function priceOf<A extends Asset>(
  market: Market,
  costs: readonly Money[],
  asset: A,
): Money<A> | undefined {
  const valued = (cost: Money, to: Asset): bigint | undefined => {
    const rate = cost.asset === to ? '1' : market.rateOf(cost.asset, to);
    return rate === undefined ? undefined : convert(cost, rate, to, 'up').units;
  };
  let usdc = 0n;
  for (const cost of costs) {
    const units = valued(cost, 'USDC');
    if (units === undefined) return undefined;
    usdc += units;
  }
  const units = valued({ asset: 'USDC', units: usdc }, asset);
  return units === undefined ? undefined : { asset, units };
}

/** USDC for one of what the platform pays with, from above: it counts where no market answers. */
const AT_MOST: Partial<Record<Asset, string>> = {
  USD: '1.1',
  IDR: '0.0001',
  XRP: '10',
  POL: '10',
  NEON: '10',
};
const DEAREST = '10000';

/**
 * The same in millionths of a USDC, for what is counted and not charged: an operation whose terms are fixed waits
 * for no market.
 */
export function worthAtMost(market: Market | undefined, costs: readonly Money[]): bigint {
  const known = market && priceOf(market, costs, 'USDC');
  if (known) return known.units;
  const valued = (cost: Money): bigint => {
    const rate = cost.asset === 'USDC' ? '1' : market?.rateOf(cost.asset, 'USDC');
    return convert(cost, rate ?? AT_MOST[cost.asset] ?? DEAREST, 'USDC', 'up').units;
  };
  return costs.reduce((sum, cost) => sum + valued(cost), 0n);
}

/** What others pay of a price is taken off; the rest is not below zero. */
export function uncovered(price: bigint, ...paid: readonly bigint[]): bigint {
  const rest = paid.reduce((left, units) => left - units, price);
  return rest > 0n ? rest : 0n;
}
