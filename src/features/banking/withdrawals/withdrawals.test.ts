import { expect, test } from 'vitest';
import { houseBalance } from '#test/cards.ts';
import { type Body, harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { addBankRecipient, withdrawer } from '#test/withdrawals.ts';

/** Mock mode, where banks pay as they are asked to. */
const h = await harness();
await h.drain();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const MINUTE_S = 60;

async function policy(client_id: number, body: object): Promise<void> {
  const [ada, ben] = [
    await h.user({ role: 'admin', client_id }),
    await h.user({ role: 'admin', client_id }),
  ];
  const draft = { name: 'A rule', applies_to: ['withdrawal'], ...body };
  const [, { data }] = await h.call('POST /policies', { as: ada, body: draft });
  const { policy_id, version } = data;
  const [status] = await h.call('POST /policies/{policy_id}/publish', {
    as: ben,
    params: { policy_id },
    body: { version },
  });
  expect(status).toBe(200);
}

test('rupiah leave the wallet with the fee on top, and arrive at once', async () => {
  const user = await withdrawer(h, 'IDR', 20_000_000n);
  const [gateway, fees] = [
    await houseBalance(h, 'gateway', 'IDR'),
    await houseBalance(h, 'withdrawal-fees', 'IDR'),
  ];
  const [status, { data }] = await user.withdraw('150000', { note: 'Rent', reference: 'rent-1' });
  expect([status, data]).toMatchObject([
    201,
    {
      withdrawal_id: expect.stringMatching(/^wdr_/),
      wallet_id: user.wallet_id,
      recipient: { recipient_id: user.recipient_id, name: 'Siti Rahma' },
      amount: '150000.00',
      currency: 'IDR',
      fee: '2500.00',
      note: 'Rent',
      status: 'COMPLETED',
      substatus: null,
      failure: null,
      returned: null,
      reference: 'rent-1',
      status_times: {
        pending_at: expect.any(String),
        processing_at: expect.any(String),
        completed_at: expect.any(String),
      },
    },
  ]);
  expect(data.recipient.detail).toMatch(/^BCA \*{4}\d{4}$/);
  expect(await user.balance()).toEqual({ balance: '47500.00', held: '0.00' });
  expect((await houseBalance(h, 'gateway', 'IDR')) - gateway).toBe(15_000_000n);
  expect((await houseBalance(h, 'withdrawal-fees', 'IDR')) - fees).toBe(250_000n);
  const [, { data: paid }] = await h.call('GET /recipients/{recipient_id}', {
    as: user.as,
    params: { recipient_id: user.recipient_id },
  });
  expect(paid.last_paid_at).toEqual(expect.any(String));
  const [, payments] = await h.call('GET /payments', {
    as: user.as,
    query: { rail: 'withdrawal' },
  });
  expect(payments.data.items).toMatchObject([
    {
      rail: 'withdrawal',
      direction: 'out',
      amount: '150000.00',
      fee: '2500.00',
      status: 'SUCCEEDED',
      reference: 'rent-1',
      our_reference: data.withdrawal_id,
      object: { type: 'payout', id: data.withdrawal_id },
    },
  ]);
});

test.each([
  ['USD', '10.00', '0.50', 2000n, '9.50'],
  ['SGD', '10.00', '0.50', 2000n, '9.50'],
  ['AUD', '10.00', '0.50', 2000n, '9.50'],
  ['INR', '100.00', '10.00', 20_000n, '90.00'],
  ['VND', '10000', '5000', 20_000n, '5000'],
] as const)('a bank in %s is paid, for a fee', async (currency, amount, fee, units, left) => {
  const user = await withdrawer(h, currency, units);
  const before = await houseBalance(h, 'bank-host', currency);
  expect(await user.withdraw(amount)).toMatchObject([
    201,
    { data: { amount, fee, currency, status: 'COMPLETED' } },
  ]);
  expect((await user.balance()).balance).toBe(left);
  expect(await houseBalance(h, 'bank-host', currency)).toBeGreaterThan(before);
});

test('a key is required, and its repetition answers the same withdrawal', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const params = { wallet_id: user.wallet_id };
  const body = { amount: '1', recipient_id: user.recipient_id };
  expect(
    codeOf(
      await h.call('POST /wallets/fiat/{wallet_id}/withdrawals', { as: user.as, params, body }),
    ),
  ).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
  const key = 'once-and-for-all-0001';
  const first = await user.withdraw('1', {}, key);
  expect(await user.withdraw('1', {}, key)).toEqual(first);
  expect((await user.balance()).balance).toBe('98.50');
});

test('what cannot be paid is refused, and holds nothing', async () => {
  const user = await withdrawer(h, 'IDR', 10_000_000n);
  const other = await withdrawer(h, 'USD', 10_000n, user.as);
  const evm = { network: 'sepolia', address: '0x52908400098527886E0F7030069857D2E4169EE7' };
  const [, { data: address }] = await h.call('POST /recipients', {
    as: user.as,
    body: { name: 'Exchange', kind: 'evm', details: evm },
  });
  const later = new Date(h.clock.now().getTime() + 91 * 86_400_000).toISOString();
  const stranger = await withdrawer(h, 'IDR', 0n + 1n);
  const cases: [object | string, number, string][] = [
    ['0', 400, 'VALIDATION_ERROR'],
    ['-1', 400, 'VALIDATION_ERROR'],
    ['1e5', 400, 'VALIDATION_ERROR'],
    ['20000.001', 400, 'VALIDATION_ERROR'],
    ['20000.50', 400, 'VALIDATION_ERROR'],
    ['9999999999999999', 400, 'VALIDATION_ERROR'],
    ['5000', 400, 'AMOUNT_BELOW_MINIMUM'],
    ['98000', 400, 'INSUFFICIENT_BALANCE'],
    [{ recipient_id: other.recipient_id }, 400, 'CURRENCY_MISMATCH'],
    [{ recipient_id: address.recipient_id }, 400, 'RAIL_NOT_AVAILABLE'],
    [{ recipient_id: stranger.recipient_id }, 404, 'NOT_FOUND'],
    [{ execute_at: later }, 400, 'VALIDATION_ERROR'],
    [{ recipent_id: 'x' }, 400, 'UNKNOWN_FIELD'],
  ];
  for (const [given, status, code] of cases) {
    const [amount, more] = typeof given === 'string' ? [given, {}] : ['20000', given];
    expect([given, ...codeOf(await user.withdraw(amount, more))]).toEqual([given, status, code]);
  }
  expect(await user.withdraw('98000')).toMatchObject([
    400,
    {
      error: {
        details: { available: '100000.00', required: '100500.00', currency: 'IDR' },
      },
    },
  ]);
  expect(await user.balance()).toEqual({ balance: '100000.00', held: '0.00' });
});

test('the wallet and the withdrawal of another user do not exist', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const [, { data }] = await user.withdraw('1');
  const params = { wallet_id: user.wallet_id, withdrawal_id: data.withdrawal_id };
  const admin = await h.user({ role: 'admin', client_id: user.as.client_id });
  for (const as of [
    await h.user({ client_id: user.as.client_id }),
    await h.user({ role: 'admin' }),
  ])
    for (const id of [
      'GET /wallets/fiat/{wallet_id}/withdrawals',
      'GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}',
      'POST /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/cancel',
    ] as const)
      expect([id, (await h.call(id, { as, params }))[0]]).toEqual([id, 404]);
  const read = 'GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}';
  expect((await h.call(read, { as: admin, params }))[0]).toBe(200);
  const another = { as: admin, params, body: { amount: '1', recipient_id: user.recipient_id } };
  const headers = { 'idempotency-key': 'an-admin-of-the-client' };
  const post = 'POST /wallets/fiat/{wallet_id}/withdrawals';
  expect(codeOf(await h.call(post, { ...another, headers }))).toEqual([
    403,
    'SECOND_PERSON_REQUIRED',
  ]);
});

test('a scheduled withdrawal is held, may be cancelled, and goes at its time', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const execute_at = new Date(h.clock.now().getTime() + 3_600_000).toISOString();
  const [, { data: first }] = await user.withdraw('10', { execute_at });
  const [, { data: second }] = await user.withdraw('20', { execute_at });
  expect(first).toMatchObject({
    status: 'PENDING',
    substatus: 'scheduled',
    executes_at: execute_at,
  });
  expect(await user.balance()).toEqual({ balance: '100.00', held: '31.00' });
  expect(await user.cancel(first.withdrawal_id)).toMatchObject([
    200,
    { data: { status: 'CANCELLED' } },
  ]);
  expect((await user.cancel(first.withdrawal_id))[0]).toBe(200);
  expect(await user.balance()).toEqual({ balance: '100.00', held: '20.50' });
  await h.advance(3_600 + MINUTE_S);
  await h.drain();
  expect(await user.read(second.withdrawal_id)).toMatchObject({ status: 'COMPLETED' });
  expect(await user.cancel(second.withdrawal_id)).toMatchObject([
    409,
    {
      error: {
        code: 'INVALID_STATUS',
        details: { status: 'COMPLETED', allowed: ['PENDING_APPROVAL', 'PENDING'] },
      },
    },
  ]);
  expect(await user.balance()).toEqual({ balance: '79.50', held: '0.00' });
});

test('a changed account is paid after a day, and one changed meanwhile is not', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const change = async (account_number: string) => {
    const [status] = await h.call('PATCH /recipients/{recipient_id}', {
      as: user.as,
      params: { recipient_id: user.recipient_id },
      body: { details: { bank_code: '021000021', account_number } },
    });
    expect(status).toBe(200);
  };
  await change('5556667771');
  const [, { data: first }] = await user.withdraw('10');
  expect(first).toMatchObject({ status: 'PENDING', substatus: 'held_by_policy' });
  await h.advance(86_400 + MINUTE_S);
  await h.drain();
  await logInAgain(h, user.as);
  expect(await user.read(first.withdrawal_id)).toMatchObject({ status: 'COMPLETED' });
  const execute_at = new Date(h.clock.now().getTime() + 3_600_000).toISOString();
  const [, { data: second }] = await user.withdraw('10', { execute_at });
  await change('5556667772');
  await h.advance(3_600 + MINUTE_S);
  await h.drain();
  expect(await user.read(second.withdrawal_id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'CONTENT_CHANGED', retryable: false },
  });
  expect(await user.balance()).toEqual({ balance: '89.50', held: '0.00' });
});

test('a recipient with an open withdrawal is not deleted', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const execute_at = new Date(h.clock.now().getTime() + 3_600_000).toISOString();
  const [, { data }] = await user.withdraw('10', { execute_at });
  const remove = () =>
    h.call('DELETE /recipients/{recipient_id}', {
      as: user.as,
      params: { recipient_id: user.recipient_id },
    });
  expect(codeOf(await remove())).toEqual([409, 'INVALID_STATUS']);
  await user.cancel(data.withdrawal_id);
  expect((await remove())[0]).toBe(200);
});

test('another person approves, and a rejection gives all of it back', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const { client_id } = user.as;
  await policy(client_id, { when: 'usd_cents > 1000', then: { approve: { count: 1 } } });
  const admin = await h.user({ role: 'admin', client_id });
  await h.advance(1);
  const made = await Promise.all(['20', '21', '22'].map((amount) => user.withdraw(amount)));
  expect(made.map(([status, { data }]) => [status, data.status, data.substatus])).toEqual(
    made.map(() => [201, 'PENDING_APPROVAL', 'waiting_for_approval']),
  );
  expect((await user.balance()).held).toBe('64.50');
  const [, { data: all }] = await h.call('GET /approvals', { as: admin });
  const decide = async (withdrawal_id: string, act: 'approve' | 'reject') => {
    const found = all.items.find(({ object }: Body) => object.id === withdrawal_id);
    const { approval_id, content_hash, version } = found;
    const [status] = await h.call(`POST /approvals/{approval_id}/${act}`, {
      as: admin,
      params: { approval_id },
      body: { version, content_hash },
    });
    expect(status).toBe(200);
  };
  const [first, second, third] = made.map(([, { data }]) => data.withdrawal_id as string);
  await decide(first ?? '', 'approve');
  await decide(second ?? '', 'reject');
  await user.cancel(third ?? '');
  await h.advance(MINUTE_S);
  await h.drain();
  expect(await user.read(first ?? '')).toMatchObject({ status: 'COMPLETED' });
  expect(await user.read(second ?? '')).toMatchObject({
    status: 'CANCELLED',
    failure: { code: 'REJECTED' },
  });
  expect(await user.read(third ?? '')).toMatchObject({ status: 'CANCELLED', failure: null });
  expect(await user.balance()).toEqual({ balance: '79.50', held: '0.00' });
});

test('what is cancelled gives its part of a limit back', async () => {
  const user = await withdrawer(h, 'USD', 100_000n);
  await policy(user.as.client_id, {
    then: { limit: { amount: '100', currency: 'USD', per: 'user', window: '1d' } },
  });
  const execute_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  const [, { data }] = await user.withdraw('80', { execute_at });
  expect(codeOf(await user.withdraw('30'))).toEqual([400, 'LIMIT_EXCEEDED']);
  await user.cancel(data.withdrawal_id);
  expect((await user.withdraw('30'))[0]).toBe(201);
});

test('an account of another name is not paid', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const { account_number } = await addBankRecipient(h, user.as, 'USD');
  await h.sandbox('POST', '/bank-host/holders', { account: account_number, name: 'John Doe' });
  const [, { data: list }] = await h.call('GET /recipients', { as: user.as });
  const { recipient_id } = list.items[0];
  await h.call('POST /recipients/{recipient_id}/verify', { as: user.as, params: { recipient_id } });
  expect(codeOf(await user.withdraw('1', { recipient_id }))).toEqual([403, 'POLICY_DENIED']);
});

test('a frozen wallet pays nothing, and a stopped user nothing that waits', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const operator = await h.operator();
  const execute_at = new Date(h.clock.now().getTime() + 3_600_000).toISOString();
  const [, { data: first }] = await user.withdraw('10', { execute_at });
  const freeze = (what: 'freeze' | 'unfreeze') =>
    h.call(`POST /wallets/fiat/{wallet_id}/${what}`, {
      as: operator,
      params: { wallet_id: user.wallet_id },
      body: { reason: 'A question' },
    });
  expect((await freeze('freeze'))[0]).toBe(200);
  expect(codeOf(await user.withdraw('10'))).toEqual([403, 'WALLET_FROZEN']);
  await h.advance(3_600 + MINUTE_S);
  await h.drain();
  expect(await user.read(first.withdrawal_id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'WALLET_FROZEN', retryable: true },
  });
  await freeze('unfreeze');
  const soon = new Date(h.clock.now().getTime() + 3_600_000).toISOString();
  const [, { data: second }] = await user.withdraw('10', { execute_at: soon });
  const [stopped] = await h.call('POST /admins/users/{user_id}/stop', {
    as: operator,
    params: { user_id: user.as.user_id },
    body: { reason: 'A question' },
  });
  expect(stopped).toBe(200);
  await h.advance(3_600 + MINUTE_S);
  await h.drain();
  const params = { wallet_id: user.wallet_id, withdrawal_id: second.withdrawal_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}', {
    as: operator,
    params,
  });
  expect(data).toMatchObject({ status: 'FAILED', failure: { code: 'ACCOUNT_NOT_ACTIVE' } });
});

test('a list is in pages, narrowed by status, reference and time', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  for (const n of [1, 2, 3]) await user.withdraw(`${n}`, { reference: `list-${n}` });
  const amounts = async (query: Record<string, string>) =>
    (await user.list(query))[1].data.items.map(({ amount }: Body) => amount);
  expect(await amounts({})).toEqual(['3.00', '2.00', '1.00']);
  expect(await amounts({ reference: 'list-2' })).toEqual(['2.00']);
  expect(await amounts({ status: 'FAILED' })).toEqual([]);
  expect(await amounts({ created_to: '2020-01-01' })).toEqual([]);
  const [, { data }] = await user.list({ limit: '2' });
  expect(await amounts({ limit: '2', cursor: data.next_cursor })).toEqual(['1.00']);
});
