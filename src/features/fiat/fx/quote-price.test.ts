import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Money, money, SCALE } from '#kernel/money/money.ts';
import { formatRate, inverse, parseRate } from '#kernel/money/rate.ts';
import type { RateReading } from '#providers/fx/port.ts';
import { CONVERTIBLE } from './convert.ts';
import { priceQuote, type Quotable } from './quote-price.ts';

/** A market in which a dollar of USDC buys so much of each currency; the other ways are rounded as the adapter does. */
const marketOf = (prices: Readonly<Record<string, string>>): RateReading => {
  const price = (asset: string) => prices[asset] ?? '1';
  const at = '2026-11-28T00:00:00.000Z';
  return {
    source: 'test',
    at,
    usable_until: at,
    rateOf(from, to) {
      const [a, b] = [parseRate(price(from)), parseRate(price(to))];
      const rate = {
        numerator: b.numerator * a.denominator,
        denominator: b.denominator * a.numerator,
      };
      return formatRate(rate, 18, 'down');
    },
  };
};

const USUAL = marketOf({ IDR: '15875.5', SGD: '1.3425', VND: '25410', USD: '0.9998' });

const arbitraryPrice = fc
  .tuple(fc.bigInt(1n, 10n ** 9n), fc.integer({ min: 0, max: 6 }))
  .map(([units, digits]) =>
    formatRate({ numerator: units, denominator: 10n ** BigInt(digits) }, 6, 'up'),
  )
  .filter((text) => /[1-9]/.test(text));
const arbitraryMarket = fc
  .tuple(...CONVERTIBLE.map(() => arbitraryPrice))
  .map((prices) =>
    marketOf(
      Object.fromEntries(
        CONVERTIBLE.map((asset, i) => [asset, asset === 'USDC' ? '1' : (prices[i] as string)]),
      ),
    ),
  );
const arbitraryUnits = fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 10n ** 12n));
const arbitraryLeg = fc.record({
  to: fc.constantFrom(...CONVERTIBLE),
  side: fc.constantFrom('from' as const, 'to' as const),
  bps: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1000 })),
  share: fc.bigInt(1n, 1000n),
});

/** What is left after a quote for all or for as much as it can buy; the rest of a purchase stays with the caller. */
function after(
  rates: RateReading,
  held: Money<Quotable>,
  leg: { to: Quotable; side: 'from' | 'to'; bps: number; share: bigint },
) {
  const sold = priceQuote(rates, { from: held, to: leg.to }, leg.bps).conversion.result;
  if (leg.side === 'from') return { bought: sold, rest: 0n };
  const wanted = { asset: leg.to, units: (sold.units * leg.share) / 1000n || 1n };
  const { from } = priceQuote(rates, { from: held.asset, to: wanted }, leg.bps).conversion;
  return from.units > held.units
    ? { bought: sold, rest: 0n }
    : { bought: wanted, rest: held.units - from.units };
}

test('no cycle of quotes of one reading gains: there and back, triangles and longer ones', () => {
  let cycles = 0;
  fc.assert(
    fc.property(
      arbitraryMarket,
      fc.constantFrom(...CONVERTIBLE),
      arbitraryUnits,
      fc.array(arbitraryLeg, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 1000 }),
      (rates, start, units, legs, bps) => {
        const home = { to: start, side: 'from' as const, bps, share: 1n };
        let held: Money<Quotable> = { asset: start, units };
        let kept = 0n;
        const path = [...legs, home].filter(
          ({ to }, i, all) => to !== (i === 0 ? start : all[i - 1]?.to),
        );
        if (path.length < 2) return;
        try {
          for (const [i, leg] of path.entries()) {
            const { bought, rest } = after(rates, held, leg);
            // Only the rest of the first purchase is in the currency that is counted.
            if (i === 0) kept = rest;
            held = bought;
          }
        } catch (error) {
          // Nothing is bought for less than a smallest unit.
          expect(error).toMatchObject({ code: 'AMOUNT_BELOW_MINIMUM' });
          return;
        }
        cycles += 1;
        expect(held.asset).toBe(start);
        expect(held.units + kept).toBeLessThanOrEqual(units);
      },
    ),
    { numRuns: 3000 },
  );
  expect(cycles).toBeGreaterThan(500);
});

test('what is promised and what rounding leaves are the exact worth at the rates', () => {
  fc.assert(
    fc.property(
      arbitraryMarket,
      arbitraryUnits,
      fc.integer({ min: 0, max: 1000 }),
      (rates, units, bps) => {
        let priced: ReturnType<typeof priceQuote>;
        try {
          priced = priceQuote(rates, { from: { asset: 'USD', units }, to: 'SGD' }, bps);
        } catch (error) {
          expect(error).toMatchObject({ code: 'AMOUNT_BELOW_MINIMUM' });
          return;
        }
        const { conversion, residue } = priced;
        const [a, b] = [parseRate(conversion.rate_in), parseRate(conversion.rate_out)];
        const top = units * a.numerator * b.numerator * BigInt(10_000 - bps);
        const under = a.denominator * b.denominator * 10_000n;
        const left = parseRate(residue);
        // In millionths of a cent: the residue is rounded down to them.
        const exact = (top * 10n ** 6n) / under;
        const promised = conversion.result.units * 10n ** 6n;
        expect(exact - promised).toBe((left.numerator * 10n ** 8n) / left.denominator);
      },
    ),
    { numRuns: 500 },
  );
});

test('the fixed amount stays as it was asked for, and the other bears the spread', () => {
  const sold = priceQuote(USUAL, { from: money('IDR', '1000000'), to: 'SGD' }, 50);
  expect([sold.fixed_side, sold.conversion.from.units, sold.conversion.result.units]).toEqual([
    'from',
    100_000_000n,
    8414n,
  ]);
  const bought = priceQuote(USUAL, { from: 'IDR', to: money('SGD', '84.14') }, 50);
  expect([bought.fixed_side, bought.conversion.result.units]).toEqual(['to', 8414n]);
  expect(bought.conversion.from.units).toBeLessThanOrEqual(100_000_000n);
  const dearer = priceQuote(USUAL, { from: 'IDR', to: money('SGD', '84.14') }, 200);
  expect(dearer.conversion.from.units).toBeGreaterThan(bought.conversion.from.units);
});

test('what comes to less than a smallest unit is not quoted, and a smallest unit can be bought', () => {
  expect(() => priceQuote(USUAL, { from: money('VND', '1'), to: 'USD' }, 50)).toThrow(
    expect.objectContaining({ code: 'AMOUNT_BELOW_MINIMUM' }),
  );
  for (const asset of CONVERTIBLE.filter((one) => one !== 'VND')) {
    const { conversion } = priceQuote(USUAL, { from: 'VND', to: { asset, units: 1n } }, 50);
    expect(conversion.from.units).toBeGreaterThan(0n);
  }
  expect(Object.keys(SCALE)).toEqual(expect.arrayContaining([...CONVERTIBLE]));
  expect(inverse('4', 2, 'down')).toBe('0.25');
});
