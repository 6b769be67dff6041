import { beforeEach, expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf, mintRow, tokenUser, untilMinted } from '#test/idr-token.ts';

const h = await harness();
await h.drain();
const gateway = gatewayOf(h);
await gateway.hold();
const { amoy } = h.app.evm.chains;
const someone = async () => tokenUser(h, await h.user());
const tokensOf = async (owner: `0x${string}`) =>
  (await readBalances(amoy, owner, [amoy.contracts.idr_token])).tokens[0];
beforeEach(() => gateway.calm());

test('a payment is minted to the wallet and booked', async () => {
  const user = await someone();
  const walletAddress = freshAddress();
  const [status, body] = await user.onramp({ walletAddress, paymentMethod: 'VA' });
  expect([status, body]).toMatchObject([
    200,
    {
      success: true,
      data: { amount: 50_000, fee: 3000, totalAmount: 53_000, paymentMethod: 'VA' },
      message: 'Onramp initiated successfully',
    },
  ]);
  const { referenceId, paymentUrl, expiresAt } = body.data;
  expect(body.data.status).toBe('PENDING');
  expect(referenceId).toMatch(new RegExp(`^MINT-\\d{13}-${user.as.user_id}$`));
  expect(paymentUrl).toMatch(/^http/);
  expect(await user.status('onramp', referenceId)).toEqual([
    200,
    {
      success: true,
      data: {
        referenceId,
        amount: 50_000,
        fee: 3000,
        status: 'PENDING',
        paymentStatus: 'PENDING',
        paymentNote: null,
        createdAt: expect.any(String),
        expiresAt,
      },
    },
  ]);
  const { createdAt } = (await user.status('onramp', referenceId))[1].data;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(24 * 3_600_000);
  const before = await houseOf(h);

  expect(await gateway.pay(referenceId)).toMatchObject({ status: 'PAID', delivered: true });
  await untilMinted(h, referenceId);
  expect(await user.statusOf('onramp', referenceId)).toBe('SUCCESS');
  expect(await tokensOf(walletAddress)).toBe(5_000_000n);
  const after = await houseOf(h);
  expect(after).toEqual({
    ...before,
    gateway: before.gateway - 5_300_000n,
    'idr-token-reserve': before['idr-token-reserve'] + 5_000_000n,
    'idr-token-fees': before['idr-token-fees'] + 300_000n,
  });
  expect(await broken(h)).toEqual([]);
  expect(await user.list('mint', { status: 'SUCCESS' })).toMatchObject([
    200,
    { data: [{ reference_id: referenceId, amount_token: '50000.00' }], pagination: { total: 1 } },
  ]);
});

test.each([
  ['QRIS', 20_000, 0, 20_000],
  ['VA', '100000000.00', 3000, 100_003_000],
  ['EWALLET', 50_000, 835, 50_835],
  // 1.67 % of it is 334.0167: a started rupiah is paid as a whole one.
  ['EWALLET', 20_001, 335, 20_336],
])('%s of %s costs %i on top', async (paymentMethod, amount, fee, totalAmount) => {
  const user = await someone();
  expect(await user.onramp({ paymentMethod, amount })).toMatchObject([
    200,
    { data: { fee, totalAmount } },
  ]);
});

test('an amount with cents is refused as not whole rupiah', async () => {
  const user = await someone();
  expect(await user.onramp({ amount: '20000.5' })).toMatchObject([
    400,
    {
      code: 'INVALID_AMOUNT',
      details: [{ field: 'amount' }],
      error: 'Amount must be whole rupiah between 20,000 and 100,000,000 IDR',
    },
  ]);
});

test.each([[19_999], [100_000_001], [1]])('an amount of %s is refused', async (amount) => {
  const user = await someone();
  expect(await user.onramp({ amount })).toMatchObject([
    400,
    {
      success: false,
      error: 'Amount must be between 20,000 and 100,000,000 IDR',
      code: 'INVALID_AMOUNT',
    },
  ]);
  expect((await user.list('mint'))[1].pagination.total).toBe(0);
});

test.each([
  [{ amount: 'a lot' }],
  [{ paymentMethod: 'CASH' }],
  [{ walletAddress: '0x12' }],
  [{ walletAddress: `0x${'0'.repeat(40)}` }],
  [{ walletAddress: amoy.contracts.idr_token }],
])('%j is refused', async (over) => {
  const user = await someone();
  expect(await user.onramp(over)).toMatchObject([
    400,
    { success: false, code: 'VALIDATION_ERROR' },
  ]);
});

test('a repeated request returns the same purchase, another request a new one', async () => {
  const user = await someone();
  const more = { headers: { 'idempotency-key': 'once' } };
  const over = { walletAddress: freshAddress() };
  const first = await user.onramp(over, more);
  expect(await user.onramp(over, more)).toEqual(first);
  expect((await user.begun()).referenceId).not.toBe(first[1].data.referenceId);
});

test('twenty purchases of one millisecond have a reference each', async () => {
  const user = await someone();
  const begun = await Promise.all(Array.from({ length: 20 }, () => user.begun()));
  expect(new Set(begun.map(({ referenceId }) => referenceId)).size).toBe(20);
  const [, { pagination }] = await user.list('mint', { status: 'PENDING' });
  expect(pagination).toEqual({ page: 1, limit: 10, total: 20 });
});

test('another user’s purchase answers like a missing one', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const stranger = await someone();
  const missing = [404, { success: false, error: 'Transaction not found' }];
  expect(await stranger.status('onramp', referenceId)).toMatchObject(missing);
  expect(await stranger.status('onramp', 'MINT-1-1')).toMatchObject(missing);
  const { client_id } = user.as;
  const admin = tokenUser(h, await h.user({ role: 'admin', client_id }));
  expect((await admin.status('onramp', referenceId))[0]).toBe(200);
  expect(await tokenUser(h, await h.operator()).statusOf('onramp', referenceId)).toBe('PENDING');
});

test('an unpaid purchase is cancelled after 24 hours, and later money does not mint', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  await h.advance(24 * 3600 - 60);
  await h.drain();
  const renewed = await h.kernel.sessions.open(h.db, {
    user_id: user.as.user_id,
    method: 'password',
  });
  const later = tokenUser(h, { ...user.as, ...renewed });
  expect(await later.statusOf('onramp', referenceId)).toBe('PENDING');
  await h.advance(120);
  await h.drain();
  const last = await h.kernel.sessions.open(h.db, { user_id: user.as.user_id, method: 'password' });
  expect(await tokenUser(h, { ...user.as, ...last }).status('onramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'CANCELLED', paymentStatus: 'EXPIRED' } },
  ]);
  await expect(gateway.pay(referenceId)).rejects.toMatchObject({ body: { code: 'CONFLICT' } });
  await gateway.pay(referenceId, { amount: 50_000 });
  await h.drain();
  expect((await mintRow(h, referenceId)).status).toBe('CANCELLED');
  expect(await broken(h)).toEqual([]);
});

test('a purchase that lapses at the gateway is cancelled at once', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const { gateway_payment_id: id } = await mintRow(h, referenceId);
  await gateway.expire(referenceId);
  await h.drain();
  expect(await user.statusOf('onramp', referenceId)).toBe('CANCELLED');
  // What is said to be paid afterwards is too late, and stands for people to decide.
  const body = { id, external_id: referenceId, status: 'PAID' };
  await h.call('POST /idrtoken/callback/payment', { as: 'nobody', body });
  await h.drain();
  expect(await user.statusOf('onramp', referenceId)).toBe('CANCELLED');
  expect((await user.status('onramp', referenceId))[1].data.paymentNote).toBe('LATE');
});

test('in mock mode a call-back settles a payment once', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  const { gateway_payment_id: id } = await mintRow(h, referenceId);
  const before = await houseOf(h);
  const body = { id, external_id: referenceId, status: 'PAID' };
  const calls = Array.from({ length: 20 }, () =>
    h.call('POST /idrtoken/callback/payment', { as: 'nobody', body }),
  );
  expect(new Set((await Promise.all(calls)).map(([status]) => status))).toEqual(new Set([200]));
  await untilMinted(h, referenceId);
  expect(await user.statusOf('onramp', referenceId)).toBe('SUCCESS');
  const { gateway: held } = await houseOf(h);
  expect(held).toBe(before.gateway - 5_000_000n);
  expect(await broken(h)).toEqual([]);
});

test.each([
  [{}],
  [[]],
  [{ external_id: 'MINT-1-1', id: 'x', status: 'PAID' }],
  [{ external_id: 'MINT-1-1', id: 'x', status: 'WHATEVER' }],
])('a call-back of %j is answered and ignored', async (body) => {
  for (const what of ['payment', 'transfer'] as const)
    expect(await h.call(`POST /idrtoken/callback/${what}`, { as: 'nobody', body })).toEqual([
      200,
      { success: true, message: 'Callback received' },
    ]);
  expect(await run(h.db, `select from inbox where id = 'MINT-1-1'`, [])).toEqual([]);
});

test('the audit log has every step of a purchase once', async () => {
  const user = await someone();
  const { referenceId } = await user.begun();
  await gateway.pay(referenceId);
  await untilMinted(h, referenceId);
  const rows = await run<{ action: string; actor: number | null }>(
    h.db,
    `select action, actor_user_id as actor from activity_log
     where subject_user_id = $1 and details ->> 'reference_id' = $2 order by id`,
    [user.as.user_id, referenceId],
  );
  expect(rows).toEqual([
    { action: 'IDR_ONRAMP_INITIATED', actor: user.as.user_id },
    { action: 'IDR_ONRAMP_PAID', actor: null },
    { action: 'IDR_ONRAMP_MINTED', actor: null },
    { action: 'IDR_ONRAMP_SUCCESS', actor: null },
  ]);
});

test('a user with a thousand open payments cannot begin another', async () => {
  const user = await someone();
  await user.begun();
  await run(h.db, `update list_counts set n = 1000 where owner = $1 and facet = '{PENDING}'`, [
    user.as.user_id,
  ]);
  expect(await user.onramp()).toMatchObject([400, { success: false, code: 'LIMIT_EXCEEDED' }]);
});
