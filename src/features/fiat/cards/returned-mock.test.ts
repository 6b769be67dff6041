import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { cardUser } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

/** Mock mode has no network: mock money follows the status of the callback. */
const h = await harness({ mock: true });
const said = (transactionIdentifier: string, status: string) =>
  h.call('POST /card-checkout/card/callback', {
    as: 'nobody',
    body: { transactionIdentifier, status },
  });

test('of twenty concurrent refunds and charge-backs one returns the money', async () => {
  const user = cardUser(h, await h.user());
  const [, { data }] = await user.topUp(100);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? user.refund(data.reference_id, 100)
        : said(data.transaction_identifier, 'CHARGEBACK'),
    ),
  );
  expect(await user.balance()).toEqual([0n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a late, repeated charge-back is booked once, and a won dispute restores the money', async () => {
  const user = cardUser(h, await h.user());
  const [, { data }] = await user.topUp(100);
  await h.advance(90 * 86_400);
  for (const word of ['CHARGEBACK', 'CHARGEBACK', 'DISPUTED']) {
    await said(data.transaction_identifier, word);
    await h.advance(60);
    await h.drain();
    expect(await user.balance()).toEqual([0n, 0n]);
  }
  await said(data.transaction_identifier, 'CHARGEBACK_REVERSED');
  expect(await user.balance()).toEqual([97_00n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
