import { beforeEach, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { freshAddress, someHash } from '#test/crosschain.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { broken, houseOf, type TokenUser, tokenUser } from '#test/idr-token.ts';
import { fund } from '#test/wallets.ts';

const h = await harness();
await h.drain();
const gateway = gatewayOf(h);
await gateway.hold();
const someone = async () => tokenUser(h, await h.user());
beforeEach(() => gateway.calm());

type Chain = 'amoy' | 'sepolia';

/** Tokens that were burnt on chain, as the proof that a redemption asks for. */
async function burnt(amount: string, chain: Chain = 'amoy') {
  const walletAddress = freshAddress();
  await fund(h, chain, walletAddress, 'IDRT', amount);
  const { tx_hash: burnTxHash } = await h.sandbox('POST', `/chains/${chain}/burn`, {
    asset: 'IDRT',
    from: walletAddress,
    amount,
  });
  return { burnTxHash, walletAddress, amount: Number(amount) };
}

async function redeemed(user: TokenUser, amount: string, bank?: number): Promise<string> {
  const bankId = bank ?? (await user.bank());
  const [status, body] = await user.offramp({ ...(await burnt(amount)), bankId });
  expect([status, body.data?.status], JSON.stringify(body)).toEqual([200, 'PENDING']);
  return body.data.referenceId;
}

test('a burn is paid to the bank and booked', async () => {
  const user = await someone();
  const bankId = await user.bank();
  const burn = await burnt('100000');
  const before = await houseOf(h);
  const [status, body] = await user.offramp({ ...burn, bankId });
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      data: {
        referenceId: expect.stringMatching(new RegExp(`^REDEEM-\\d{13}-${user.as.user_id}$`)),
        amount: 100_000,
        fee: 5000,
        netAmount: 95_000,
        status: 'PENDING',
        bankAccount: {
          bankName: 'Bank Central Asia',
          accountNumber: '1234567890',
          accountName: user.as.username,
        },
      },
      message: 'Offramp initiated successfully',
    },
  ]);
  const { referenceId } = body.data;
  expect(await user.status('offramp', referenceId)).toMatchObject([
    200,
    { data: { netAmount: 95_000, status: 'PROCESSING', bankTransferStatus: 'PROCESSING' } },
  ]);
  await h.drain();
  expect(await user.statusOf('offramp', referenceId)).toBe('PROCESSING');
  expect(await gateway.end(referenceId, 'complete')).toMatchObject({ status: 'SUCCEEDED' });
  await h.drain();
  expect(await user.status('offramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'COMPLETED', bankTransferStatus: 'COMPLETED' } },
  ]);
  expect(await houseOf(h)).toEqual({
    ...before,
    'idr-token-reserve': before['idr-token-reserve'] - 10_000_000n,
    gateway: before.gateway + 9_500_000n,
    'idr-token-fees': before['idr-token-fees'] + 500_000n,
  });
  expect(await broken(h)).toEqual([]);
  expect(await user.list('redeem')).toMatchObject([
    200,
    {
      data: [
        {
          reference_id: referenceId,
          amount_token: '100000.00',
          net_amount_idr: 95_000,
          bank_account_number: '1234567890',
          bank_transfer_status: 'COMPLETED',
        },
      ],
      pagination: { page: 1, limit: 10, total: 1 },
    },
  ]);
});

test('a burn on another chain is redeemed as well', async () => {
  const user = await someone();
  const burn = await burnt('20000', 'sepolia');
  const [status, body] = await user.offramp({ ...burn, bankId: await user.bank() });
  expect([status, body.data.netAmount]).toEqual([200, 15_000]);
  const rows = await run(h.db, 'select chain_id from idr_redeems where reference_id = $1', [
    body.data.referenceId,
  ]);
  expect(rows).toEqual([{ chain_id: 'sepolia' }]);
});

test('a transaction that is not exactly that burn is refused', async () => {
  const user = await someone();
  const bankId = await user.bank();
  const burn = await burnt('50000');
  const other = freshAddress();
  const { tx_hash } = await fund(h, 'amoy', other, 'IDRT', '50000');
  const wrong = [
    { burnTxHash: someHash() },
    { burnTxHash: 'nonsense' },
    { burnTxHash: tx_hash, walletAddress: other },
    { amount: 50_001 },
    { walletAddress: freshAddress() },
  ];
  for (const over of wrong)
    expect(await user.offramp({ ...burn, bankId, ...over }), JSON.stringify(over)).toMatchObject([
      400,
      {
        success: false,
        error: 'Invalid burn transaction hash or amount mismatch',
        code: 'INVALID_TX_HASH',
      },
    ]);
  expect((await user.offramp({ ...burn, bankId }))[0]).toBe(200);
});

test('a burn pays once, also for two concurrent requests', async () => {
  const [user, stranger] = [await someone(), await someone()];
  const burn = await burnt('50000');
  const banks = [await user.bank(), await stranger.bank()];
  const before = await houseOf(h);
  const asked = await Promise.all([
    user.offramp({ ...burn, bankId: banks[0] }),
    stranger.offramp({ ...burn, bankId: banks[1] }),
    user.offramp({ ...burn, bankId: banks[0] }),
  ]);
  expect(asked.map(([status]) => status).sort()).toEqual([200, 400, 400]);
  expect(asked.find(([status]) => status === 400)).toMatchObject([
    400,
    { error: 'Invalid burn transaction hash or amount mismatch' },
  ]);
  const { 'idr-token-redemptions': owed } = await houseOf(h);
  expect(owed).toBe(before['idr-token-redemptions'] + 5_000_000n);
});

test('a repeated request returns the same answer', async () => {
  const user = await someone();
  const body = { ...(await burnt('50000')), bankId: await user.bank() };
  const more = { headers: { 'idempotency-key': 'once' } };
  const first = await user.offramp(body, more);
  expect(first[0]).toBe(200);
  expect(await user.offramp(body, more)).toEqual(first);
});

test('an inactive bank account, or another user’s, is refused', async () => {
  const user = await someone();
  const burn = await burnt('50000');
  const refused = [400, { success: false, error: 'Bank account not found or inactive' }];
  expect(await user.offramp({ ...burn, bankId: 1_000_000 })).toMatchObject(refused);
  const theirs = await (await someone()).bank();
  expect(await user.offramp({ ...burn, bankId: theirs })).toMatchObject(refused);
  const [mine] = [await user.bank(), await user.bank({ accountNumber: '88888888' })];
  await user.call('DELETE /idrtoken/banks/{bank_id}', { params: { bank_id: mine } });
  expect(await user.offramp({ ...burn, bankId: mine })).toMatchObject(refused);
});

test.each([
  [19_999, 'AMOUNT_BELOW_MINIMUM'],
  ['1000000000.01', 'LIMIT_EXCEEDED'],
])('an amount of %s is refused', async (amount, code) => {
  const user = await someone();
  const body = { burnTxHash: someHash(), walletAddress: freshAddress(), amount, bankId: 1 };
  expect(await user.offramp(body)).toMatchObject([400, { success: false, code }]);
});

test('cents of a burn go with the fee', async () => {
  const user = await someone();
  const [status, { data }] = await user.offramp({
    ...(await burnt('20000.50')),
    bankId: await user.bank(),
  });
  expect([status, data]).toMatchObject([200, { amount: 20_000.5, fee: 5000.5, netAmount: 15_000 }]);
});

test('a transfer above 250,000,000 waits for office hours, also without a process', async () => {
  const user = await someone();
  const at = h.clock.now().getTime();
  // The next Friday, 20:00 in Jakarta.
  const friday = new Date(at + 86_400_000);
  while (friday.getUTCDay() !== 5) friday.setTime(friday.getTime() + 86_400_000);
  friday.setUTCHours(13, 0, 0, 0);
  await h.advance(Math.ceil((friday.getTime() - at) / 1000));
  await h.drain();
  const renewed = await h.kernel.sessions.open(h.db, {
    user_id: user.as.user_id,
    method: 'password',
  });
  const later = tokenUser(h, { ...user.as, ...renewed });
  const [, { data }] = await later.offramp({
    ...(await burnt('300000000')),
    bankId: await later.bank(),
  });
  expect(data).toMatchObject({ fee: 35_000, netAmount: 299_965_000 });
  const small = await redeemed(tokenUser(h, await h.user()), '50000');
  await h.drain();
  const shown = async (reference: string) =>
    (
      await run<{ status: string }>(
        h.db,
        'select status from idr_redeems where reference_id = $1',
        [reference],
      )
    )[0]?.status;
  expect([await shown(data.referenceId), await shown(small)]).toEqual(['PENDING', 'PROCESSING']);
  // Monday evening: the offices have opened and closed again without a running process.
  await h.advance(3 * 86_400);
  await h.drain();
  expect(await shown(data.referenceId)).toBe('PENDING');
  // Tuesday, 09:00 there.
  await h.advance(13 * 3600);
  await h.drain();
  expect(await shown(data.referenceId)).toBe('PROCESSING');
});

test('a refused transfer fails the redemption and keeps its money for a refund', async () => {
  const user = await someone();
  const referenceId = await redeemed(user, '50000');
  await h.drain();
  const before = await houseOf(h);
  await gateway.end(referenceId, 'fail');
  await h.drain();
  expect(await user.status('offramp', referenceId)).toMatchObject([
    200,
    { data: { status: 'FAILED', bankTransferStatus: 'FAILED' } },
  ]);
  expect(await houseOf(h)).toEqual(before);
});

test('a bank account with an open transfer cannot be deleted', async () => {
  const user = await someone();
  const [used] = [await user.bank(), await user.bank({ accountNumber: '88888888' })];
  const [, { data }] = await user.offramp({ ...(await burnt('50000')), bankId: used });
  const remove = () => user.call('DELETE /idrtoken/banks/{bank_id}', { params: { bank_id: used } });
  expect(await remove()).toMatchObject([
    400,
    { success: false, error: 'Cannot delete a bank with pending transactions' },
  ]);
  await h.drain();
  await gateway.end(data.referenceId, 'complete');
  await h.drain();
  expect((await remove())[0]).toBe(200);
});

test('a user sees no redemption of another', async () => {
  const user = await someone();
  const referenceId = await redeemed(user, '50000');
  const stranger = await someone();
  expect(await stranger.status('offramp', referenceId)).toMatchObject([
    404,
    { success: false, error: 'Transaction not found' },
  ]);
  expect((await stranger.list('redeem'))[1].data).toEqual([]);
});

test('the list pages to its end, and each filter has a total of its own', async () => {
  const user = await someone();
  const bank = await user.bank();
  const references: string[] = [];
  for (let i = 0; i < 3; i += 1) references.push(await redeemed(user, '20000', bank));
  await h.drain();
  await gateway.end(references[0] ?? '', 'fail');
  await h.drain();
  const [, first] = await user.list('redeem', { limit: 2 });
  const [, second] = await user.list('redeem', { limit: 2, page: 2 });
  const seen = [...first.data, ...second.data].map(({ reference_id }) => reference_id);
  expect(seen).toEqual(references.toReversed());
  expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3 });
  const failed = await user.list('redeem', { status: 'FAILED' });
  expect(failed[1].pagination.total).toBe(1);
  expect(failed[1].data.map(({ reference_id }: { reference_id: string }) => reference_id)).toEqual([
    references[0],
  ]);
  for (const query of [{ page: 0 }, { limit: 101 }, { status: 'MINTED' }])
    expect((await user.list('redeem', query as Record<string, string | number>))[0]).toBe(400);
});
