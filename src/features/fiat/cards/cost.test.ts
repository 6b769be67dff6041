import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { cardUser } from '#test/cards.ts';
import { harness } from '#test/harness.ts';
import { checkoutShares, whereCardFeeIs } from './fee.ts';

const h = await harness({ mock: false, config: { PROVIDER_PRICES: '{"card.top_up":"0.15"}' } });

test('the least top-up is the least whose fee covers the price', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FIAT), fc.bigInt({ min: 1n, max: 10n ** 9n }), (asset, cost) => {
      const feeOf = (units: bigint) => checkoutShares({ asset, units }).fee;
      const least = whereCardFeeIs(cost);
      expect(feeOf(least)).toBeGreaterThanOrEqual(cost);
      if (least > 1n) expect(feeOf(least - 1n)).toBeLessThan(cost);
    }),
  );
});

test('a top-up whose fee does not cover the network’s price is refused, in any currency', async () => {
  const user = cardUser(h, await h.user());
  expect(await user.topUp('4.66')).toMatchObject([
    400,
    { error: 'Amount must be at least 4.67 USD' },
  ]);
  expect((await user.topUp('4.67'))[0]).toBe(200);
  await h.call('POST /wallets/fiat', { as: user.as, body: { currency: 'IDR' } });
  expect(await user.topUp('70000', undefined, 'IDR')).toMatchObject([400, {}]);
  expect((await user.topUp('80000', undefined, 'IDR'))[0]).toBe(200);
});
