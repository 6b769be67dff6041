import { beforeEach, expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness, type Person } from '#test/harness.ts';
import {
  broken,
  houseOf,
  mintRow,
  type TokenUser,
  tokenUser,
  untilMinted,
} from '#test/idr-token.ts';
import { fund } from '#test/wallets.ts';

const h = await harness();
await h.drain();
const gateway = gatewayOf(h);
await gateway.hold();
const { amoy } = h.app.evm.chains;
const { client_id } = await h.client({ country_code: 'SG' });
const admin = tokenUser(h, await h.user({ role: 'admin', client_id }));
const someone = async () => tokenUser(h, await h.user({ client_id }));
beforeEach(() => gateway.calm());

const refund = (by: TokenUser, over: object, more = {}) =>
  by.call('POST /idrtoken/admin/refund', {
    body: { transactionType: 'MINT', reason: 'The customer asked', ...over },
    ...more,
  });
const tokensOf = async (owner: `0x${string}`) =>
  (await readBalances(amoy, owner, [amoy.contracts.idr_token])).tokens[0];

async function minted(user: TokenUser, walletAddress = freshAddress()) {
  const { referenceId } = await user.begun({ walletAddress });
  await gateway.pay(referenceId);
  await untilMinted(h, referenceId);
  return { walletAddress, referenceId, transactionId: (await mintRow(h, referenceId)).mint_id };
}

/** A redemption that the bank has refused. */
async function failed(user: TokenUser, amount = '100000') {
  const walletAddress = freshAddress();
  await fund(h, 'amoy', walletAddress, 'IDRT', amount);
  const { tx_hash: burnTxHash } = await h.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount,
  });
  const bankId = await user.bank();
  const [, { data }] = await user.offramp({ burnTxHash, walletAddress, amount, bankId });
  await h.drain();
  await gateway.end(data.referenceId, 'fail');
  await h.drain();
  const [row] = await run<{ redeem_id: number }>(
    h.db,
    'select redeem_id from idr_redeems where reference_id = $1',
    [data.referenceId],
  );
  return { referenceId: data.referenceId, transactionId: row?.redeem_id ?? 0 };
}

test('a refund takes minted tokens back before it pays rupiah to the wallet', async () => {
  const user = await someone();
  const { walletAddress, referenceId, transactionId } = await minted(user);
  const before = await houseOf(h);
  expect(await refund(admin, { transactionId })).toEqual([
    200,
    {
      success: true,
      data: {
        refundTransactionId: expect.stringMatching(/^REFUND-\d{13}-\d+$/),
        netRefund: 40_000,
        refundFee: 10_000,
        message: expect.any(String),
      },
      message: 'Refund processed successfully',
    },
  ]);
  expect(await tokensOf(walletAddress)).toBe(0n);
  expect(await user.balance()).toBe(4_000_000n);
  expect(await user.status('onramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'FAILED', paymentStatus: 'REFUNDED' } },
  ]);
  expect(await houseOf(h)).toEqual({
    ...before,
    'idr-token-reserve': before['idr-token-reserve'] - 5_000_000n,
    'idr-token-fees': before['idr-token-fees'] + 1_000_000n,
  });
  expect(await broken(h)).toEqual([]);
});

test('a take-back burn cannot be redeemed', async () => {
  const user = await someone();
  const { walletAddress, transactionId } = await minted(user);
  expect((await refund(admin, { transactionId }))[0]).toBe(200);
  const [taken] = await run<{ take_back_hash: string }>(
    h.db,
    'select take_back_hash from idr_refunds where mint_id = $1',
    [transactionId],
  );
  const burn = { burnTxHash: taken?.take_back_hash, walletAddress, amount: '50000' };
  expect(await user.offramp({ ...burn, bankId: await user.bank() })).toMatchObject([
    400,
    { success: false, code: 'INVALID_TX_HASH' },
  ]);
  expect(await user.list('redeem')).toMatchObject([200, { data: [] }]);
  expect(await broken(h)).toEqual([]);
});

test('a refused transfer is refunded from its reserved money', async () => {
  const user = await someone();
  const { referenceId, transactionId } = await failed(user);
  const before = await houseOf(h);
  const body = { transactionType: 'REDEEM', transactionId };
  expect(await refund(admin, body)).toMatchObject([
    200,
    { data: { netRefund: 90_000, refundFee: 10_000 } },
  ]);
  expect(await user.balance()).toBe(9_000_000n);
  expect(await user.status('offramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'FAILED', bankTransferStatus: 'REFUNDED' } },
  ]);
  expect(await houseOf(h)).toEqual({
    ...before,
    'idr-token-redemptions': before['idr-token-redemptions'] - 10_000_000n,
    'idr-token-fees': before['idr-token-fees'] + 1_000_000n,
  });
  expect(await broken(h)).toEqual([]);
});

test.each(['MINT', 'REDEEM'] as const)(
  'twenty refunds of a %s at once make one',
  async (transactionType) => {
    const user = await someone();
    const { transactionId } = await (transactionType === 'MINT' ? minted(user) : failed(user));
    const asked = Array.from({ length: 20 }, () =>
      refund(admin, { transactionType, transactionId }),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    const others = answers.filter(([status]) => status !== 200);
    for (const other of others)
      expect(other).toMatchObject([
        409,
        { success: false, error: 'Transaction was already refunded', code: 'ALREADY_REFUNDED' },
      ]);
    expect(await user.balance()).toBe(transactionType === 'MINT' ? 4_000_000n : 9_000_000n);
    expect(await broken(h)).toEqual([]);
  },
);

test('a repeated request returns the same answer', async () => {
  const user = await someone();
  const { transactionId } = await minted(user);
  const more = { headers: { 'idempotency-key': 'once' } };
  const first = await refund(admin, { transactionId }, more);
  expect(first[0]).toBe(200);
  expect(await refund(admin, { transactionId }, more)).toEqual(first);
});

test('in mock mode the platform pays a refund of missing tokens', async () => {
  const user = await someone();
  const { walletAddress, transactionId } = await minted(user);
  await h.sandbox('POST', '/chains/amoy/burn', {
    asset: 'IDRT',
    from: walletAddress,
    amount: '50000',
  });
  const before = await houseOf(h);
  expect((await refund(admin, { transactionId }))[0]).toBe(200);
  expect(await user.balance()).toBe(4_000_000n);
  expect(await houseOf(h)).toEqual({
    ...before,
    'idr-token-fees': before['idr-token-fees'] - 4_000_000n,
  });
});

test('a transaction that is neither paid nor failed is not refunded', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const { mint_id: transactionId } = await mintRow(h, referenceId);
  expect(await refund(admin, { transactionId })).toMatchObject([
    400,
    { success: false, code: 'INVALID_STATUS' },
  ]);
});

test.each([['transactionType'], ['transactionId'], ['reason']])(
  'without %s the contract’s message tells what is required',
  async (field) => {
    expect(await refund(admin, { transactionId: 1, [field]: undefined })).toMatchObject([
      400,
      { error: 'Missing required fields: transactionType, transactionId, reason' },
    ]);
  },
);

test('only admins refund, and only transactions of their client', async () => {
  const user = await someone();
  const { transactionId } = await minted(user);
  expect(await refund(user, { transactionId })).toMatchObject([
    403,
    { success: false, error: 'Admin access required', code: 'FORBIDDEN' },
  ]);
  const elsewhere: Person = await h.user({ role: 'admin' });
  for (const [by, id] of [
    [tokenUser(h, elsewhere), transactionId],
    [admin, 1_000_000],
  ] as const)
    expect(await refund(by, { transactionId: id })).toMatchObject([
      404,
      { success: false, error: 'Transaction not found' },
    ]);
  expect((await refund(tokenUser(h, await h.operator()), { transactionId }))[0]).toBe(200);
});

test('the audit log names the requester of a refund', async () => {
  const user = await someone();
  const { transactionId } = await minted(user);
  const [, { data }] = await refund(admin, { transactionId });
  const rows = await run(
    h.db,
    `select action, actor_user_id as actor from activity_log
     where subject_user_id = $1 and details ->> 'reference_id' = $2 order by id`,
    [user.as.user_id, data.refundTransactionId],
  );
  expect(rows).toEqual([
    { action: 'IDR_REFUND_REQUESTED', actor: admin.as.user_id },
    { action: 'IDR_REFUNDED', actor: null },
  ]);
});

test('a refund and the mint that it would undo never both happen', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, someone));
  const bought = await Promise.all(
    users.map(async (user) => {
      const walletAddress = freshAddress();
      const { referenceId } = await user.begun({ walletAddress });
      await gateway.pay(referenceId);
      return { user, walletAddress, referenceId };
    }),
  );
  const asking = bought.map(async ({ referenceId }) => {
    const { mint_id: transactionId } = await mintRow(h, referenceId);
    let status = 0;
    // 400 before it is paid, 503 while it is being minted.
    while (status !== 200) [status] = await refund(admin, { transactionId });
  });
  await Promise.all([h.drain(), ...asking]);
  await h.advance(120);
  await h.drain();
  for (const { user, walletAddress, referenceId } of bought) {
    expect(await user.balance()).toBe(4_000_000n);
    expect(await tokensOf(walletAddress)).toBe(0n);
    expect((await mintRow(h, referenceId)).payment_status).toBe('REFUNDED');
  }
  const { 'idr-token-owed': owed } = await houseOf(h);
  expect(owed).toBe(0n);
  expect(await broken(h)).toEqual([]);
});
