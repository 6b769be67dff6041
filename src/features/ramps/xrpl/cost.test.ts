import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { used } from '#test/budgets.ts';
import { harness } from '#test/harness.ts';
import { ramps } from '#test/ramps.ts';

/** Out of mock mode: what small and many on- and off-ramps may take from the platform. */
const h = await harness({ mock: false });
const r = ramps(h);

const spentOf = (subject: string) =>
  run<{ spent: number }>(h.db, 'select spent from budgets where subject = $1', [subject]);

test('on- and off-ramps are counted at the coin’s price, a refusal is not', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 1_000n);
  const mine = `costs of own XRPL payments by actor/60m user:${as.user_id}`;
  expect((await r.on(as, { fiat_currency: 'USD', fiat_amount: 2 }))[0]).toBe(200);
  // 12 drops at 1.6 XRP for a dollar are 7.5 millionths, and one may be lost by rounding.
  expect(await spentOf(mine)).toEqual([{ spent: 9 }]);
  expect((await r.off(as, { usdc_amount: 1, target_fiat: 'USD' }))[0]).toBe(200);
  expect((await r.on(as, { fiat_currency: 'USD', fiat_amount: 5_000 }))[0]).toBe(400);
  expect(await spentOf(mine)).toEqual([{ spent: 9 + 16 }]);
});

test('a used-up hourly budget stops payments until the next hour', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 1_000n);
  await used(h, `costs of own XRPL payments by actor/60m user:${as.user_id}`, 100_000_000);
  expect(await r.on(as, { fiat_currency: 'USD', fiat_amount: 1 })).toMatchObject([
    ...[429, { code: 'RATE_LIMITED' }],
  ]);
  expect(await r.fiatOf(as, 'USD')).toEqual({ units: 1_000n, held: 0n });
});

test('a bank transfer below the gateway’s minimum is refused', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 1_000n);
  await r.on(as, { fiat_currency: 'USD', fiat_amount: 5 });
  const before = await r.usdcOf(as);
  const destination_bank = {
    bank_name: 'BCA',
    account_number: '1234567890',
    account_name: 'Siti Rahma',
  };
  const wish = { target_fiat: 'IDR', payout_type: 'BANK', destination_bank };
  // 15,494 rupiah, of which 5,550 pay for the transfer.
  expect(await r.off(as, { ...wish, usdc_amount: '0.976' })).toMatchObject([
    400,
    { code: 'AMOUNT_BELOW_MINIMUM', details: { field: 'usdc_amount', minimum: '10000.00' } },
  ]);
  expect(await r.usdcOf(as)).toEqual(before);
  expect(await r.off(as, { ...wish, usdc_amount: '0.98' })).toMatchObject([
    200,
    { data: { payout: { fiat_amount: 15_557, receiver_amount: 10_007, transfer_fee: 5550 } } },
  ]);
});

test('an amount below a millionth of a USDC buys none in any rounding', async () => {
  const as = await h.user();
  await r.fund(as, 'IDR', 100n);
  expect(await r.on(as, { fiat_currency: 'IDR', fiat_amount: '0.01' })).toMatchObject([
    ...[400, { code: 'AMOUNT_BELOW_MINIMUM' }],
  ]);
  expect((await r.fiatOf(as, 'IDR')).units).toBe(100n);
});

test('small on- and off-ramps in any order lose the platform nothing', async () => {
  const as = await h.user();
  await r.fund(as, 'USD', 10_000n);
  const value = async () =>
    (await r.fiatOf(as, 'USD')).units * 10_000n + (await r.usdcOf(as)).units;
  const step = fc.record({
    isOn: fc.boolean(),
    amount: fc.integer({ min: 1, max: 30_000 }).map((millionths) => (millionths / 1e6).toFixed(6)),
  });
  const before = await value();
  const steps = fc.sample(step, { numRuns: 25, seed: 45 });
  for (const { isOn, amount } of steps) {
    const [status] = isOn
      ? await r.on(as, { amount })
      : await r.off(as, { amount, target_fiat: 'USD' });
    expect([200, 400]).toContain(status);
    expect(await value()).toBeLessThanOrEqual(before);
  }
  await r.agree();
});
