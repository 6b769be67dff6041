import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TERMS } from '#features/fiat/fee-settings/fee-settings.ts';
import { money } from '#kernel/money/money.ts';
import { done, unknown } from '#kernel/provider-call.ts';
import { onchainPlatformFee } from './fees.ts';

const at = (rate: string) => ({
  rate: async () => done({ rate, source: 'test', at: '2026-01-01T00:00:00.000Z' }),
});
const fee = (asset: 'ETH' | 'USDC', amount: string, rate = '1', terms = DEFAULT_TERMS) =>
  onchainPlatformFee(at(rate), money(asset, amount), terms);

describe('the platform fee', () => {
  it('is the share of the amount where that is more than the minimum', async () => {
    expect(await fee('USDC', '20')).toBe(100_000n);
    expect(await fee('USDC', '20.01')).toBe(100_050n);
    expect(await fee('USDC', '19.99')).toBe(100_000n);
    expect(await fee('USDC', '10000')).toBe(50_000_000n);
  });

  it('has its minimum in dollars, at what a dollar is worth in the token', async () => {
    expect(await fee('ETH', '0.000001', '0.0004')).toBe(40_000_000_000_000n);
    expect(await fee('ETH', '1', '0.0004')).toBe(5_000_000_000_000_000n);
  });

  it('never is below either by a fraction of a unit', async () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
    const terms = fc.record({
      fee_ppm: fc.integer({ min: 0, max: 100_000 }),
      minimum_micro_usd: fc.integer({ min: 1, max: 1_000_000_000 }),
      gas_points: fc.constant(12_000),
    });
    const rate = fc.integer({ min: 1, max: 10_000_000 });
    await fc.assert(
      fc.asyncProperty(units, terms, rate, async (units, terms, millionths) => {
        const text = `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`;
        const asked = await onchainPlatformFee(at(text), { asset: 'USDC', units }, terms);
        const share = units * BigInt(terms.fee_ppm);
        const minimum = BigInt(terms.minimum_micro_usd) * BigInt(millionths);
        expect(asked * 1_000_000n >= share && asked * 1_000_000n >= minimum).toBe(true);
        const below = (asked - 1n) * 1_000_000n;
        expect(below < share || below < minimum).toBe(true);
      }),
    );
  });

  it('is not guessed while nobody tells the price', async () => {
    const silent = { rate: async () => unknown('away') };
    await expect(
      onchainPlatformFee(silent, money('ETH', '1'), DEFAULT_TERMS),
    ).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      retryAfter: 5,
    });
  });
});
