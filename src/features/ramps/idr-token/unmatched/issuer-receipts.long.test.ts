// Long: a day goes by.

import { expect, test } from 'vitest';
import { freshAddress } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { broken, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';

/** Money that IDRX has taken for a purchase beside the one payment that pays it. */
const h = await harness({ mock: false, config: { IDR_GATEWAY: 'idrx', JWT_TTL: '10000000' } });
await h.drain();
const operator = await h.operator();
const DAY_S = 86_400;

async function purchase() {
  const user = tokenUser(h, await h.user());
  const walletAddress = freshAddress();
  return (await user.begun({ walletAddress, paymentMethod: 'VA' })).referenceId as string;
}

async function listed(reference: string) {
  await h.drain();
  const [, { data }] = await h.call('GET /idrtoken/payments', { as: operator });
  return data
    .filter((one: { reference_id: string }) => one.reference_id === reference)
    .map((one: { reason: string }) => one.reason);
}

test('a double payment is booked once, and waits once for a person', async () => {
  const reference = await purchase();
  await h.sandbox('POST', `/idrx/payments/${reference}/pay`);
  await untilMinted(h, reference);
  await h.sandbox('POST', `/idrx/payments/${reference}/pay`, { amount: 50_000 });
  await expect.poll(() => listed(reference)).toHaveLength(1);
  expect(await broken(h)).toEqual([]);
});

test('a payment after the end of its purchase waits for a person', async () => {
  const reference = await purchase();
  await h.sandbox('POST', `/idrx/payments/${reference}/expire`);
  await h.advance(2 * DAY_S);
  await h.drain();
  expect(['PENDING', 'SUCCESS']).not.toContain((await mintRow(h, reference)).status);
  await h.sandbox('POST', `/idrx/payments/${reference}/pay`, { amount: 50_000 });
  await expect.poll(() => listed(reference)).toHaveLength(1);
  expect(await broken(h)).toEqual([]);
});
