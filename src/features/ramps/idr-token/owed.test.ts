import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf, mintRow, tokenUser } from '#test/idr-token.ts';

/** No server listens there: the chain is away. */
const h = await harness({
  config: { EVM_AMOY_RPC_URL: 'http://127.0.0.1:9', JWT_TTL: '10000000' },
});
await h.drain();
const gateway = gatewayOf(h);

async function paid() {
  const user = tokenUser(h, await h.user());
  await gateway.hold();
  const { referenceId } = await user.begun();
  await gateway.pay(referenceId);
  await h.drain();
  const { mint_id, status } = await mintRow(h, referenceId);
  expect(status).toBe('PAID');
  const admin = tokenUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
  const refund = () =>
    admin.call('POST /idrtoken/admin/refund', {
      body: { transactionType: 'MINT', transactionId: mint_id, reason: 'The chain is away' },
    });
  return { user, referenceId, refund };
}

test('a paid purchase and its money wait for the chain', async () => {
  const { user, referenceId } = await paid();
  await h.advance(3600);
  await h.drain();
  expect(await user.statusOf('onramp', referenceId)).toBe('PAID');
  expect(await houseOf(h)).toMatchObject({ 'idr-token-owed': 5_000_000n, 'idr-token-reserve': 0n });
  expect(await h.kernel.effects.stats(h.db)).toMatchObject([{ kind: 'saga.idr-onramp.mint' }]);
});

test('an unminted payment is refunded once, and never minted afterwards', async () => {
  const { user, referenceId, refund } = await paid();
  const before = await houseOf(h);
  const answers = await Promise.all(Array.from({ length: 5 }, refund));
  expect(answers.filter(([status]) => status === 200)).toMatchObject([
    [200, { data: { netRefund: 40_000, refundFee: 10_000 } }],
  ]);
  expect(await user.balance()).toBe(4_000_000n);
  expect(await houseOf(h)).toEqual({
    ...before,
    'idr-token-owed': before['idr-token-owed'] - 5_000_000n,
    'idr-token-fees': before['idr-token-fees'] + 1_000_000n,
  });
  await h.advance(3600);
  await h.drain();
  expect(await user.status('onramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'FAILED', paymentStatus: 'REFUNDED' } },
  ]);
  const ended = await run(h.db, 'select state, finished from sagas where id = $1', [referenceId]);
  expect(ended).toEqual([{ state: 'withdrawn', finished: true }]);
  expect(await broken(h)).toEqual([]);
});

test('an unreachable chain is not reported as a missing burn', async () => {
  const user = tokenUser(h, await h.user());
  const body = {
    burnTxHash: `0x${'7'.repeat(64)}`,
    walletAddress: `0x${'1'.repeat(40)}`,
    amount: 20_000,
    bankId: await user.bank(),
  };
  expect(await user.offramp(body)).toMatchObject([
    503,
    { success: false, code: 'PROVIDER_UNAVAILABLE' },
  ]);
});
