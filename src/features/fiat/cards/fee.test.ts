import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkoutShares, refundShares } from './fee.ts';

test.each([
  [100_00n, 3_00n],
  [1n, 1n],
  [33n, 1n],
  [34n, 2n],
  [10_01n, 31n],
])('of %d units the fee is %d', (units, fee) => {
  expect(checkoutShares({ asset: 'USD', units })).toEqual({ fee, net: units - fee });
});

const units = fc.bigInt({ min: 2n, max: 99_999_999_999_999n });

test('a fee is at least 3 percent, and less than one unit more', () => {
  fc.assert(
    fc.property(units, (amount) => {
      const { fee, net } = checkoutShares({ asset: 'USD', units: amount });
      expect(fee + net).toBe(amount);
      expect(fee * 100n >= amount * 3n && (fee - 1n) * 100n < amount * 3n).toBe(true);
    }),
  );
});

test('a refund costs each side at most its part, and a whole refund exactly that', () => {
  fc.assert(
    fc.property(units, fc.bigInt({ min: 1n, max: 10n ** 14n }), (amount, part) => {
      const { fee: platform_fee, net: got } = checkoutShares({ asset: 'USD', units: amount });
      const original = { amount, platform_fee };
      expect(refundShares(amount, original)).toEqual({ fee: platform_fee, net: got });
      const refunded = 1n + (part % amount);
      const { fee, net } = refundShares(refunded, original);
      expect(fee + net).toBe(refunded);
      expect(fee >= 0n && fee <= platform_fee && net > 0n && net <= got).toBe(true);
    }),
  );
});
