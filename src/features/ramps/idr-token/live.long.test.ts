// Long: the gateway fails in every way at every step.

import { beforeEach, expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import {
  broken,
  houseOf,
  mintRow,
  type TokenUser,
  tokenUser,
  untilMinted,
} from '#test/idr-token.ts';
import { newKey, proveKey } from '#test/wallet-proofs.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
// Schedules count from the first look at them.
await h.drain();
const gateway = gatewayOf(h);
const { amoy } = h.app.evm.chains;
const someone = async () => tokenUser(h, await h.user());
beforeEach(() => gateway.calm());

const CALL_FAULTS = ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'];
const tokensOf = async (owner: `0x${string}`) =>
  (await readBalances(amoy, owner, [amoy.contracts.idr_token])).tokens[0] ?? 0n;
/** Advances the clock by so many minutes and runs what is due. */
const wait = async (minutes: number) => {
  await h.advance(minutes * 60);
  await h.drain();
};
/** What the gateway holds for us is what our books say. */
const inOrder = async () => {
  expect(await broken(h)).toEqual([]);
  const { gateway: held } = await houseOf(h);
  expect(await gateway.balance()).toBe(-held);
};
const made = (kind: 'invoice' | 'payout', reference: string) =>
  run(
    h.db,
    `select from sandbox.records where provider = 'gateway' and kind = $1
       and $2 in (data ->> 'external_id', data ->> 'reference_id')`,
    [kind, reference],
  );

async function burnt(user: TokenUser, amount = '50000') {
  const [address] = await walletOn(h, user.as, 'amoy');
  const walletAddress = address?.wallet_address ?? '';
  await fund(h, 'amoy', walletAddress, 'IDRT', amount);
  const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount,
  });
  return { burnTxHash, walletAddress, amount };
}

async function redeemed(user: TokenUser): Promise<string> {
  const [status, body] = await user.offramp({ ...(await burnt(user)), bankId: await user.bank() });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.referenceId;
}

test.each(CALL_FAULTS)('a purchase requests its payment once under the fault %s', async (kind) => {
  const user = await someone();
  await gateway.spoil(kind, 3);
  const more = { headers: { 'idempotency-key': kind } };
  const over = { walletAddress: freshAddress() };
  const [status, body] = await user.onramp(over, more);
  if (status !== 200)
    expect([status, body]).toMatchObject([
      503,
      { success: false, code: 'PROVIDER_UNAVAILABLE', details: { status: 'PENDING' } },
    ]);
  await gateway.calm();
  await wait(2);
  const [again, { data }] = await user.onramp(over, more);
  expect([again, data.status]).toEqual([200, 'PENDING']);
  expect(data.paymentUrl).toMatch(/^http/);
  expect(data.referenceId).toBe(body.data?.referenceId ?? body.details.referenceId);
  expect(await made('invoice', data.referenceId)).toHaveLength(1);
  await gateway.pay(data.referenceId);
  await untilMinted(h, data.referenceId);
  expect(await user.statusOf('onramp', data.referenceId)).toBe('SUCCESS');
  expect(await tokensOf(over.walletAddress)).toBe(5_000_000n);
  await inOrder();
});

test('a call-back about a payment is verified at the gateway', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const forged = { id: 'x', external_id: referenceId, status: 'PAID' };
  for (const headers of [{}, { 'x-callback-token': 'guessed' }])
    expect(
      await h.call('POST /idrtoken/callback/payment', { as: 'nobody', body: forged, headers }),
    ).toMatchObject([200, { success: true }]);
  await h.drain();
  expect(await user.statusOf('onramp', referenceId)).toBe('PENDING');
  // A hint is good for something: what was paid is found without the gateway's own call-back.
  await gateway.spoil('bad-signature');
  await gateway.pay(referenceId);
  await untilMinted(h, referenceId);
  await inOrder();
});

test('twenty concurrent call-backs, genuine and forged, book one payment', async () => {
  const user = await someone();
  const walletAddress = freshAddress();
  const { referenceId } = await user.begun({ walletAddress });
  await gateway.spoil('late-callback', 1, 120_000);
  await gateway.pay(referenceId);
  const { gateway_payment_id: id } = await mintRow(h, referenceId);
  const token = h.kernel.config.GATEWAY_CALLBACK_TOKEN;
  const calls = Array.from({ length: 20 }, (_, i) =>
    h.call('POST /idrtoken/callback/payment', {
      as: 'nobody',
      body: { id, external_id: referenceId, status: i % 3 === 0 ? 'EXPIRED' : 'PAID' },
      headers: i % 2 === 0 ? { 'x-callback-token': token } : {},
    }),
  );
  expect((await Promise.all(calls)).map(([status]) => status)).toEqual(Array(20).fill(200));
  await untilMinted(h, referenceId);
  expect(await tokensOf(walletAddress)).toBe(5_000_000n);
  await inOrder();
});

test.each(['duplicate-callback', 'late-callback', 'bad-signature', 'reorder'])(
  'a payment whose call-back suffers from %s is minted once',
  async (kind) => {
    const user = await someone();
    const walletAddress = freshAddress();
    const { referenceId } = await user.begun({ walletAddress });
    await gateway.spoil(kind, 1, kind === 'duplicate-callback' ? 20 : 60_000);
    await gateway.pay(referenceId);
    // Without a call-back the gateway is asked when the time to pay is over.
    await h.drain();
    if ((await user.statusOf('onramp', referenceId)) === 'PENDING') await wait(24 * 60 + 1);
    await untilMinted(h, referenceId);
    expect(await tokensOf(walletAddress)).toBe(5_000_000n);
    await inOrder();
  },
);

test.each(['error', 'drop'])('a call-back is verified again after %s', async (kind) => {
  const user = await someone();
  const { referenceId } = await user.begun();
  await gateway.spoil(kind, 2);
  await gateway.pay(referenceId);
  await h.drain();
  if ((await user.statusOf('onramp', referenceId)) === 'PENDING') {
    expect(await h.kernel.inboxes.stats(h.db)).toMatchObject([{ source: 'gateway-payments' }]);
    await wait(2);
  }
  await untilMinted(h, referenceId);
  expect(await h.kernel.inboxes.stats(h.db)).toEqual([]);
  await inOrder();
});

test('a purchase that lapses during an outage stays open until the gateway answers', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const late = await user.begun();
  await gateway.spoil('late-callback', 1, 120_000);
  await gateway.pay(late.referenceId);
  await gateway.calm();
  await gateway.spoil('error', 1000);
  await wait(24 * 60 + 1);
  expect(await user.statusOf('onramp', referenceId)).toBe('PENDING');
  await gateway.calm();
  await wait(20);
  expect(await user.statusOf('onramp', referenceId)).toBe('CANCELLED');
  // The payer was faster than the end of the time to pay.
  await untilMinted(h, late.referenceId);
  await inOrder();
});

test('a payment of another sum pays nothing and is owed to its payer', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  await gateway.pay(referenceId, { amount: 49_999 });
  await h.drain();
  expect(await user.statusOf('onramp', referenceId)).toBe('PENDING');
  const [, { data }] = await h.call('GET /idrtoken/payments', { as: await h.operator() });
  expect(data).toMatchObject([
    { reference_id: referenceId, owed_idr: 49_999, reason: 'UNDERPAID' },
  ]);
  await inOrder();
});

test.each(CALL_FAULTS)('a redemption is paid out once under the fault %s', async (kind) => {
  const user = await someone();
  const referenceId = await redeemed(user);
  await gateway.spoil(kind, 3);
  await h.drain();
  await gateway.calm();
  await wait(2);
  expect(await user.statusOf('offramp', referenceId)).toBe('PROCESSING');
  expect(await made('payout', referenceId)).toHaveLength(1);
  await gateway.end(referenceId, 'complete');
  await h.drain();
  expect(await user.statusOf('offramp', referenceId)).toBe('COMPLETED');
  await inOrder();
});

test('a transfer without a call-back is polled within the hour', async () => {
  const user = await someone();
  const referenceId = await redeemed(user);
  await h.drain();
  await gateway.spoil('late-callback', 1, 120_000);
  await gateway.end(referenceId, 'complete');
  await wait(61);
  expect(await user.statusOf('offramp', referenceId)).toBe('COMPLETED');
  await inOrder();
});

test('a call-back about a transfer is verified at the gateway', async () => {
  const user = await someone();
  const referenceId = await redeemed(user);
  await h.drain();
  for (const status of ['SUCCEEDED', 'FAILED'])
    await h.call('POST /idrtoken/callback/transfer', {
      as: 'nobody',
      body: {
        event: `payout.${status.toLowerCase()}`,
        data: { id: 'x', reference_id: referenceId, status },
      },
    });
  await h.drain();
  expect(await user.statusOf('offramp', referenceId)).toBe('PROCESSING');
});

test('a returned transfer fails its redemption once, and can be refunded', async () => {
  const user = await someone();
  const referenceId = await redeemed(user);
  await h.drain();
  await gateway.end(referenceId, 'complete');
  await h.drain();
  const before = await houseOf(h);
  await gateway.spoil('duplicate-callback');
  await gateway.end(referenceId, 'reverse');
  await h.drain();
  expect(await user.status('offramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'FAILED', bankTransferStatus: 'RETURNED' } },
  ]);
  expect(await houseOf(h)).toEqual({
    ...before,
    gateway: before.gateway - 4_500_000n,
    'idr-token-fees': before['idr-token-fees'] - 500_000n,
    'idr-token-redemptions': before['idr-token-redemptions'] + 5_000_000n,
  });
  await inOrder();
  const taken = 'select given_back_at from policy_decisions where operation = $1';
  expect(await run(h.db, taken, [referenceId])).toEqual([{ given_back_at: expect.any(String) }]);
  const [{ redeem_id: transactionId = 0 } = {}] = await run<{ redeem_id: number }>(
    h.db,
    'select redeem_id from idr_redeems where reference_id = $1',
    [referenceId],
  );
  const admin = tokenUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
  const body = { transactionType: 'REDEEM', transactionId, reason: 'Returned' };
  expect((await admin.call('POST /idrtoken/admin/refund', { body }))[0]).toBe(200);
  expect(await user.balance()).toBe(4_000_000n);
  await inOrder();
});

test('a stranger cannot redeem a burn that is public on chain', async () => {
  const [user, stranger] = [await someone(), await someone()];
  const burn = await burnt(user);
  expect(await stranger.offramp({ ...burn, bankId: await stranger.bank() })).toMatchObject([
    403,
    {
      success: false,
      code: 'WALLET_ACCESS_DENIED',
      hint: expect.stringMatching(/wallet-proofs\/challenges.*extauth\/auth\/link-wallet/),
    },
  ]);
  expect((await user.offramp({ ...burn, bankId: await user.bank() }))[0]).toBe(200);
});

test('a user redeems a burn of an outside wallet after proving the wallet', async () => {
  const user = await someone();
  const { key, address: walletAddress } = newKey();
  await fund(h, 'amoy', walletAddress, 'IDRT', '50000');
  const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount: '50000',
  });
  const order = { burnTxHash, walletAddress, amount: '50000', bankId: await user.bank() };
  const hint = expect.stringContaining('POST /wallet-proofs/challenges');
  expect(await user.offramp(order)).toMatchObject([403, { code: 'WALLET_ACCESS_DENIED', hint }]);
  expect((await proveKey(h, user.as, key))[0]).toBe(200);
  expect((await user.offramp(order))[0]).toBe(200);
  await inOrder();
});

test('a refund takes tokens back from the user’s own wallets only', async () => {
  const user = await someone();
  const admin = tokenUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
  const [own] = await walletOn(h, user.as, 'amoy');
  const mintedTo = async (walletAddress: string) => {
    const { referenceId } = await user.begun({ walletAddress });
    await gateway.pay(referenceId);
    await untilMinted(h, referenceId);
    return (await mintRow(h, referenceId)).mint_id;
  };
  const refund = (transactionId: number) =>
    admin.call('POST /idrtoken/admin/refund', {
      body: { transactionType: 'MINT', transactionId, reason: 'Asked' },
    });
  const outside = newKey();
  const theirs = await mintedTo(outside.address);
  const hint = expect.stringContaining('POST /wallet-proofs/challenges');
  expect(await refund(theirs)).toMatchObject([409, { code: 'CONFLICT', hint }]);
  const wallet = own?.wallet_address ?? '';
  const mine = await mintedTo(wallet);
  await h.sandbox('POST', '/chains/amoy/burn', { asset: 'IDRT', from: wallet, amount: '1' });
  expect(await refund(mine)).toMatchObject([
    409,
    { success: false, error: 'The tokens cannot be taken back' },
  ]);
  expect(await user.balance()).toBe(0n);
  await fund(h, 'amoy', wallet, 'IDRT', '1');
  expect(await refund(mine)).toMatchObject([200, { data: { netRefund: 40_000 } }]);
  expect(await user.balance()).toBe(4_000_000n);
  // The purchase is the user's, and the signature says that the wallet is, too.
  expect((await proveKey(h, user.as, outside.key))[0]).toBe(200);
  expect(await refund(theirs)).toMatchObject([200, { data: { netRefund: 40_000 } }]);
  expect(await user.balance()).toBe(8_000_000n);
  await inOrder();
});

test('gateway and service have the same lines', async () => {
  const window = { from: new Date(0), to: new Date(h.clock.now().getTime() + 1000) };
  for (const rail of h.app.features.rails.filter(({ name }) =>
    ['gateway', 'payouts'].includes(name),
  )) {
    const ours = await rail.ours(h.db, window);
    const lines: unknown[] = [];
    let after: string | undefined;
    do {
      const page = await rail.theirs(window, after);
      if (page.kind !== 'done') throw new Error('No statement');
      lines.push(...page.value.lines.map(({ reference, units }) => `${reference} ${units}`));
      after = page.value.next;
    } while (after !== undefined);
    expect(ours.lines.length).toBeGreaterThan(5);
    expect(lines.sort()).toEqual(
      ours.lines.map(({ reference, units }) => `${reference} ${units}`).sort(),
    );
  }
});

test('no effect and no flow stays open', async () => {
  expect(
    (await h.kernel.effects.stats(h.db)).filter(({ kind }) => kind.startsWith('saga.idr')),
  ).toEqual([]);
  const flows = (await h.kernel.sagas.stats(h.db)).filter(({ stalled }) => stalled > 0);
  expect(flows).toEqual([]);
});
