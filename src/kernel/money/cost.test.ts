import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Market, priceOf, uncovered, worthAtMost } from './cost.ts';
import { type Asset, type Money, money } from './money.ts';

/** USDC for one of each, and each for one USDC. */
const market = (rates: Partial<Record<string, string>>): Market => ({
  rateOf: (from, to) => rates[`${from}/${to}`],
});
const MARKET = market({ 'POL/USDC': '0.5', 'ETH/USDC': '3000', 'USDC/IDR': '16000.005' });

describe('a price', () => {
  test('is the sum of the costs over USDC, in the asset of the customer', () => {
    const costs = [money('POL', '2'), money('ETH', '0.001'), money('USDC', '0.5')];
    expect(priceOf(MARKET, costs, 'USDC')).toEqual(money('USDC', '4.5'));
    expect(priceOf(MARKET, costs, 'IDR')).toEqual(money('IDR', '72000.03'));
  });

  test('is rounded up at each step, so that the platform never pays the rest', () => {
    const oneWei: Money = { asset: 'ETH', units: 1n };
    expect(priceOf(MARKET, [oneWei], 'USDC')).toEqual({ asset: 'USDC', units: 1n });
    expect(priceOf(MARKET, [oneWei], 'IDR')).toEqual({ asset: 'IDR', units: 2n });
  });

  test('of no costs is zero', () => {
    expect(priceOf(market({}), [], 'USDC')).toEqual({ asset: 'USDC', units: 0n });
  });

  test('is unknown where a cost or the customer has no market', () => {
    expect(priceOf(MARKET, [money('XRP', '1')], 'USDC')).toBeUndefined();
    expect(priceOf(MARKET, [money('POL', '1')], 'SGD')).toBeUndefined();
  });
});

describe('the worth of costs that nobody pays', () => {
  test('is the price where the market knows it', () => {
    expect(worthAtMost(MARKET, [money('POL', '2')])).toBe(1_000_000n);
  });

  test('has a bound for each asset where there is no market', () => {
    const worth = (asset: Asset) => worthAtMost(undefined, [money(asset, '1')]);
    expect(worth('USDC')).toBe(1_000_000n);
    expect(worth('USD')).toBe(1_100_000n);
    expect(worth('IDR')).toBe(100n);
    expect([worth('XRP'), worth('POL'), worth('NEON')]).toEqual([
      10_000_000n,
      10_000_000n,
      10_000_000n,
    ]);
    expect(worth('ETH')).toBe(10_000_000_000n);
  });

  test('takes the rate of each cost that has one, beside the bounds of the others', () => {
    const costs = [money('POL', '2'), money('XRP', '1')];
    expect(worthAtMost(MARKET, costs)).toBe(11_000_000n);
  });
});

test('what is paid of a price is taken off, and never more than the price', () => {
  expect(uncovered(10n)).toBe(10n);
  expect(uncovered(10n, 3n, 4n)).toBe(3n);
  expect(uncovered(10n, 10n)).toBe(0n);
  fc.assert(
    fc.property(fc.bigInt(0n, 100n), fc.array(fc.bigInt(0n, 100n)), (price, paid) => {
      const sum = paid.reduce((all, one) => all + one, 0n);
      expect(uncovered(price, ...paid)).toBe(sum >= price ? 0n : price - sum);
    }),
  );
});
