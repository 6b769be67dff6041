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

/** What others pay of a price is taken off; the rest is not below zero. */
export function uncovered(price: bigint, ...paid: readonly bigint[]): bigint {
  const rest = paid.reduce((left, units) => left - units, price);
  return rest > 0n ? rest : 0n;
}
