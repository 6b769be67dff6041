import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { tokenUser } from '#test/idr-token.ts';
import {
  isWholeRupiah,
  type METHODS,
  ONRAMP_LIMITS,
  onrampFee,
  redeemFee,
  redeemTier,
  refundFee,
} from './fees.ts';
import { isOfficeOpen, untilOffice } from './redemption/office-hours.ts';

const h = await harness();
const user = tokenUser(h, await h.user());
const idr = (units: bigint) => ({ asset: 'IDR', units }) as const;
const METHOD = fc.constantFrom('QRIS', 'VA', 'EWALLET') satisfies fc.Arbitrary<
  keyof typeof METHODS
>;

test('a payment costs its method’s fee in whole rupiah, never less and never a rupiah too much', () => {
  const rupiah = fc.bigInt({ min: 20_000n, max: 100_000_000n });
  fc.assert(
    fc.property(METHOD, rupiah, (method, whole) => {
      const amount = idr(whole * 100n);
      const fee = onrampFee(method, amount);
      expect(isWholeRupiah(fee)).toBe(true);
      if (method === 'QRIS') expect(fee.units).toBe(0n);
      if (method === 'VA') expect(fee.units).toBe(300_000n);
      if (method !== 'EWALLET') return;
      // 1.67 percent, in millionths of a rupiah.
      const exact = whole * 16_700n;
      expect(fee.units * 10_000n >= exact).toBe(true);
      expect((fee.units - 100n) * 10_000n < exact).toBe(true);
    }),
  );
});

test('a redemption pays whole rupiah, which make up the burn with its fee', () => {
  const units = fc.bigInt({ min: 2_000_000n, max: 100_000_000_000n });
  fc.assert(
    fc.property(units, (burnt) => {
      const fee = redeemFee(idr(burnt)).units;
      const net = burnt - fee;
      expect(net > 0n && net % 100n === 0n).toBe(true);
      const base = burnt <= 25_000_000_000n ? 500_000n : 3_500_000n;
      expect(fee - base).toBe(burnt % 100n);
    }),
  );
  expect(redeemTier(idr(100_000_000_001n))).toBeUndefined();
  expect(redeemTier(idr(25_000_000_000n))?.waitsForOffice).toBe(false);
  expect(redeemTier(idr(25_000_000_001n))?.waitsForOffice).toBe(true);
});

test('a refund costs 5,000 and the redemption’s fee, and leaves something of the least amount', () => {
  const units = fc.bigInt({ min: 2_000_000n, max: 100_000_000_000n });
  fc.assert(
    fc.property(units, (amount) => {
      const fee = refundFee(idr(amount)).units;
      expect(fee).toBe(500_000n + (amount <= 25_000_000_000n ? 500_000n : 3_500_000n));
      expect(amount - fee > 0n).toBe(true);
    }),
  );
});

test('the payment methods are those of the contract, with their fees', async () => {
  const [status, body] = await user.call('GET /idrtoken/payment-methods');
  expect([status, body]).toMatchObject([
    200,
    {
      success: true,
      data: [
        { method: 'QRIS', fee: 0, fee_type: 'FIXED' },
        { method: 'VA', fee: 3000, fee_type: 'FIXED' },
        {
          method: 'EWALLET',
          fee: 1.67,
          fee_type: 'PERCENTAGE',
          description: '1.67% of the amount',
        },
      ],
      source: 'LIVE',
    },
  ]);
});

test('the shown fees are the charged fees', async () => {
  const [, { data }] = await user.call('GET /idrtoken/fees');
  expect(data.mint.methods.map(({ fee }: { fee: number }) => fee)).toEqual([0, 3000, 1.67]);
  expect(data.mint.autoCancel).toBe('Unpaid after 24 hours');
  expect(data.redeem).toMatchObject({
    fees: [
      { range: 'Up to 250,000,000', fee: 5000, processingTime: 'Real-time' },
      { range: 'Above 250,000,000 up to 1,000,000,000', fee: 35_000 },
    ],
    maxProcessingTime: '24 hours',
  });
  expect(data.refund.formula).toBe('Net refund = amount - (5,000 + redeem fee)');
  expect(data.refund.examples).toEqual([
    {
      amount: 250_000_000,
      calculation: '250,000,000 - (5,000 + 5,000) = 249,990,000',
      netRefund: 249_990_000,
    },
    {
      amount: 1_000_000_000,
      calculation: '1,000,000,000 - (5,000 + 35,000) = 999,960,000',
      netRefund: 999_960_000,
    },
  ]);
  expect(data.bridge).toMatchObject({ available: false, fee: 0 });
  expect(ONRAMP_LIMITS.least.units).toBe(2_000_000n);
});

test.each([
  ['MINT', 'mint'],
  ['REDEEM', 'redeem'],
  ['REFUND', 'refund'],
  ['BRIDGE', 'bridge'],
])('?type=%s shows that part alone', async (type, part) => {
  const [, { data }] = await user.call('GET /idrtoken/fees', { query: { type } });
  expect(Object.keys(data)).toEqual([part]);
});

test('another type is refused', async () => {
  const answer = await user.call('GET /idrtoken/fees', { query: { type: 'GIFT' } });
  expect(answer).toMatchObject([400, { success: false, code: 'VALIDATION_ERROR' }]);
});

test.each([
  // 22 November 2026 is a Sunday; Jakarta is seven hours ahead.
  ['2026-11-22T03:00:00Z', '2026-11-23T01:00:00Z'],
  ['2026-11-23T00:59:59Z', '2026-11-23T01:00:00Z'],
  ['2026-11-23T08:00:00Z', '2026-11-24T01:00:00Z'],
  ['2026-11-27T08:00:00Z', '2026-11-30T01:00:00Z'],
  // Friday evening there is Saturday morning here, and the other way round.
  ['2026-11-27T17:00:00Z', '2026-11-30T01:00:00Z'],
  ['2026-11-29T18:00:00Z', '2026-11-30T01:00:00Z'],
])('at %s banks open for large transfers at %s', (at, opens) => {
  expect(isOfficeOpen(new Date(at))).toBe(false);
  expect(new Date(Date.parse(at) + untilOffice(new Date(at)))).toEqual(new Date(opens));
});

test.each([['2026-11-23T01:00:00Z'], ['2026-11-23T07:59:59Z']])('at %s they are open', (at) => {
  expect(isOfficeOpen(new Date(at))).toBe(true);
});
