import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken } from '#test/idr-token.ts';
import { bankEnd, payoutState, redemption } from '#test/payouts.ts';

/** In mock mode callers are believed, but not that what has failed was paid: that is the sandbox's to say. */
const h = await harness();
await h.drain();
const gateway = gatewayOf(h);
await gateway.hold();
const operator = await h.operator();

async function failed() {
  const { user, reference } = await redemption(h);
  await bankEnd(h, reference, 'fail');
  const status = async () => (await user.status('offramp', reference))[1].data;
  const rows = await run<{ redeem_id: number }>(
    h.db,
    'select redeem_id from idr_redeems where reference_id = $1',
    [reference],
  );
  const body = { transactionType: 'REDEEM', transactionId: rows[0]?.redeem_id, reason: 'Failed' };
  const refund = () => h.call('POST /idrtoken/admin/refund', { as: operator, body });
  return { user, reference, status, refund };
}

test('a call-back alone does not complete a failed transfer', async () => {
  const { user, reference, status, refund } = await failed();
  const said = { reference_id: reference, status: 'SUCCEEDED', id: 'disb-lie' };
  const body = { event: 'payout.succeeded', data: said };
  await h.call('POST /idrtoken/callback/transfer', { as: 'nobody', body });
  await h.drain();
  expect(await status()).toMatchObject({ status: 'FAILED', bankTransferStatus: 'FAILED' });
  expect((await refund())[0]).toBe(200);
  expect(await user.balance()).toBeGreaterThan(0n);
  expect(await broken(h)).toEqual([]);
});

test('a late completion in the sandbox completes the transfer without a refund', async () => {
  const { user, reference, status, refund } = await failed();
  await bankEnd(h, reference, 'complete-late');
  expect(await payoutState(h, reference)).toBe('PAID');
  expect(await status()).toMatchObject({ status: 'COMPLETED' });
  expect(await refund()).toMatchObject([400, { code: 'INVALID_STATUS' }]);
  expect(await user.balance()).toBe(0n);
  expect(await broken(h)).toEqual([]);
});
