import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIAT, type Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Asset } from '#kernel/money/money.ts';
import { SCALE } from '#kernel/money/money.ts';
import { divide, formatRate, parseRate } from '#kernel/money/rate.ts';
import type { RateReading } from '#providers/fx/port.ts';
import { houseOf, rampUser } from '#test/cardano-ramps.ts';
import { harness } from '#test/harness.ts';
import { feeFor } from './network-fee.ts';
import { termsOf } from './terms.ts';

/** What a dollar buys, and what a mint and a burn take. */
const DOLLARS: Readonly<Record<string, string>> = {
  USD: '1',
  IDR: '15875.5',
  SGD: '1.3425',
  AUD: '1.5301',
  INR: '84.1275',
  VND: '25410',
  USDC: '1',
};
const ATTO = 10n ** 18n;
/** What one unit is worth in 10^-18 dollars, rounded down. */
function worth(asset: string, units: bigint, ada: string): bigint {
  const { numerator, denominator } = parseRate(asset === 'ADA' ? ada : (DOLLARS[asset] ?? '1'));
  return (units * ATTO * denominator) / (numerator * 10n ** BigInt(SCALE[asset as Asset]));
}
const readingWith = (ada: string): RateReading => ({
  rateOf(from, to) {
    const [a, b] = [from, to].map((asset) =>
      parseRate(asset === 'ADA' ? ada : (DOLLARS[asset] ?? '1')),
    );
    if (!a || !b) return undefined;
    const rate = {
      numerator: b.numerator * a.denominator,
      denominator: b.denominator * a.numerator,
    };
    return formatRate(rate, 18, 'nearest');
  },
  source: 'test',
  at: '2026-11-27T00:00:00Z',
  usable_until: '2026-11-28T00:00:00Z',
});

const currency = fc.constantFrom<Fiat>(...FIAT);
const order = fc.record({
  from: currency,
  to: fc.option(currency, { nil: undefined }),
  whole: fc.boolean(),
  units: fc.bigInt({ min: 1n, max: 3_000_000n }),
  /** ADA for a dollar: two dollars each down to a cent. */
  ada: fc.integer({ min: 5, max: 1_000 }).map((tenths) => `${tenths / 10}`),
  lovelace: fc.bigInt({ min: 150_000n, max: 2_500_000n }),
});

test('an order of any size pays at least its cost, at any price of the coin', () => {
  let taken = 0;
  fc.assert(
    fc.property(order, ({ from, to, whole, units, ada, lovelace }) => {
      const rates = readingWith(ada);
      const amount = { asset: from, units };
      const wish = to && { currency: to, whole: whole && to === 'IDR' };
      let net: bigint;
      try {
        const terms = termsOf(rates, amount, wish);
        const fee = feeFor(rates, terms, [{ asset: 'ADA', units: lovelace }]);
        const given = terms.out
          ? worth(terms.out.currency, terms.out.payout, ada)
          : worth('USDC', terms.usdc, ada);
        net = worth(from, units + fee, ada) - given - worth('ADA', lovelace, ada);
        taken += 1;
      } catch (error) {
        // Refused, and nothing moves.
        expect((error as Error).message).toMatch(/at least|nothing|exceed|less than/);
        return;
      }
      // What rates of 18 decimals lose.
      expect(net).toBeGreaterThan(-divide(worth(from, units, ada), 1_000_000_000n, 'up') - 2n);
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(200);
});

test('an amount whose percentages cover the network has no extra charge', () => {
  const rates = readingWith('2.8571428571428571');
  const cost = { asset: 'ADA', units: 1_370_000n } as const;
  const terms = termsOf(rates, { asset: 'USD', units: 10_000n }, undefined);
  expect(feeFor(rates, terms, [cost])).toBe(0n);
  const less = termsOf(rates, { asset: 'USD', units: 2_000n }, undefined);
  expect(feeFor(rates, less, [cost])).toBe(38n);
});

const h = await harness({ mock: false });

/** What the house has, in 10^-18 dollars: its fees and positions, less what the treasury has spent. */
async function value(): Promise<bigint> {
  const ada = '2.8571428571428571';
  const ours = Object.entries(await houseOf(h)).filter(([name]) =>
    /^(?:cardano-fees|fx|cardano-treasury) /.test(name),
  );
  return ours.reduce((sum, [name, units]) => {
    const asset = name.split(' ')[1] ?? '';
    return sum + (units < 0n ? -worth(asset, -units, ada) : worth(asset, units, ada));
  }, 0n);
}

test('the treasury loses nothing by any sequence of small orders', async () => {
  const user = await rampUser(h, undefined, '1000');
  const step = fc.record({
    name: fc.constantFrom('wallet-mint-user' as const, 'wallet-offramp-wallet' as const),
    cents: fc.integer({ min: 1, max: 300 }),
  });
  for (const { name, cents } of fc.sample(step, { numRuns: 12, seed: 27 })) {
    const before = await value();
    const [status, body] = await user.ramp(name, { fiat_amount: (cents / 100).toFixed(2) });
    if (status !== 200) expect([status, body.code]).toEqual([400, expect.stringMatching(/AMOUNT/)]);
    expect(await value()).toBeGreaterThanOrEqual(before - (status === 200 ? 2n : 0n));
  }
});

test('an amount below the network’s cost is refused with the minimum', async () => {
  const user = await rampUser(h, undefined, '1');
  const before = await value();
  expect(await user.ramp('wallet-mint-user', { fiat_amount: '0.02' })).toMatchObject([
    400,
    {
      code: 'AMOUNT_BELOW_MINIMUM',
      error: expect.stringMatching(/^fiat_amount must be at least 0\.\d\d USD$/),
      details: { field: 'fiat_amount', minimum: expect.any(String), currency: 'USD' },
    },
  ]);
  expect([await user.balance('USD'), await value()]).toEqual([[100n, 0n], before]);
});

test('the network fee is held, shown, and part of the required balance', async () => {
  const user = await rampUser(h, undefined, '10');
  expect(await user.ramp('wallet-mint-user', { fiat_amount: '10' })).toMatchObject([
    ...[400, { code: 'INSUFFICIENT_BALANCE' }],
  ]);
  const [status, body] = await user.ramp('wallet-mint-user', { fiat_amount: '9' });
  expect([status, body.walletTx]).toMatchObject([
    200,
    { amount: '9.00', network_fee: expect.stringMatching(/^0\.[34]\d$/) },
  ]);
  const [left] = await user.balance('USD');
  expect(left).toBe(100n - BigInt(Math.round(Number(body.walletTx.network_fee) * 100)));
});
