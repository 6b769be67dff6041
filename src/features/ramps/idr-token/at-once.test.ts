import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';
import { fund } from '#test/wallets.ts';

const h = await harness();
await h.drain();
const gateway = gatewayOf(h);
const someone = async () => tokenUser(h, await h.user());

async function burnt(amount: string) {
  const from = freshAddress();
  await fund(h, 'amoy', from, 'IDRT', amount);
  const { tx_hash } = await h.sandbox('POST', '/chains/amoy/burn', { asset: 'IDRT', from, amount });
  return { burnTxHash: tx_hash, walletAddress: from, amount };
}

test('in mock mode a purchase is paid and minted at once, without a gateway', async () => {
  const user = await someone();
  await gateway.spoil('refuse', 100);
  const before = await houseOf(h);
  const [status, { data }] = await user.onramp({ paymentMethod: 'VA' });
  expect([status, data]).toMatchObject([200, { status: 'PENDING', totalAmount: 53_000 }]);
  await untilMinted(h, data.referenceId);
  await gateway.calm();
  expect((await user.status('onramp', data.referenceId))[1].data).toMatchObject({
    status: 'SUCCESS',
    paymentStatus: 'PAID',
    paymentNote: null,
  });
  expect(await houseOf(h)).toEqual({
    ...before,
    gateway: before.gateway - 5_300_000n,
    'idr-token-reserve': before['idr-token-reserve'] + 5_000_000n,
    'idr-token-fees': before['idr-token-fees'] + 300_000n,
  });
  const page = await fetch(data.paymentUrl);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('Payment received'),
  ]);
  expect(await broken(h)).toEqual([]);
});

test('in mock mode a redemption is paid out at once', async () => {
  const user = await someone();
  await gateway.spoil('refuse', 100);
  const [status, { data }] = await user.offramp({
    ...(await burnt('100000')),
    bankId: await user.bank(),
  });
  await gateway.calm();
  expect([status, data.status]).toEqual([200, 'PENDING']);
  await h.drain();
  expect((await user.status('offramp', data.referenceId))[1].data).toMatchObject({
    status: 'COMPLETED',
    bankTransferStatus: 'COMPLETED',
  });
  expect(await broken(h)).toEqual([]);
});

test('twenty concurrent purchases are each paid and minted once', async () => {
  const user = await someone();
  const before = await houseOf(h);
  const begun = await Promise.all(Array.from({ length: 20 }, () => user.begun()));
  for (const { referenceId } of begun) await untilMinted(h, referenceId);
  const after = await houseOf(h);
  expect(after.gateway).toBe(before.gateway - 20n * 5_000_000n);
  expect(after['idr-token-reserve']).toBe(before['idr-token-reserve'] + 20n * 5_000_000n);
  const rows = await run<{ n: number }>(
    h.db,
    `select count(*)::integer as n from sandbox.records
     where provider = 'gateway' and kind = 'transaction' and data ->> 'reference_id' = any($1)`,
    [begun.map(({ referenceId }) => referenceId)],
  );
  expect(rows).toEqual([{ n: 20 }]);
});

test('the sandbox holds as many payments as requested, until they are paid', async () => {
  const user = await someone();
  expect(await h.sandbox('POST', '/gateway/holds', { payments: 1 })).toEqual({
    payments: 1,
    payouts: 0,
  });
  const [held, next] = [await user.begun(), await user.begun()];
  await untilMinted(h, next.referenceId);
  expect(await user.statusOf('onramp', held.referenceId)).toBe('PENDING');
  expect(await h.sandbox('GET', '/gateway/holds')).toEqual({ payments: 0, payouts: 0 });
  expect(await gateway.pay(held.referenceId)).toMatchObject({ status: 'PAID', delivered: true });
  await untilMinted(h, held.referenceId);
});

test('a plain call-back pays a held payment', async () => {
  const user = await someone();
  await gateway.hold();
  const { referenceId } = await user.begun();
  await gateway.release();
  const body = { reference_id: referenceId, status: 'SUCCEEDED' };
  await h.call('POST /idrtoken/callback/payment', { as: 'nobody', body });
  await untilMinted(h, referenceId);
  expect((await mintRow(h, referenceId)).paid_amount_idr).toBe(5_000_000n);
});

test('a call-back ends a held pay-out', async () => {
  const user = await someone();
  await gateway.hold();
  const [, { data }] = await user.offramp({ ...(await burnt('50000')), bankId: await user.bank() });
  await gateway.release();
  expect(await user.statusOf('offramp', data.referenceId)).toBe('PROCESSING');
  const body = { reference_id: data.referenceId, status: 'COMPLETED' };
  await h.call('POST /idrtoken/callback/transfer', { as: 'nobody', body });
  await h.drain();
  expect(await user.statusOf('offramp', data.referenceId)).toBe('COMPLETED');
});
