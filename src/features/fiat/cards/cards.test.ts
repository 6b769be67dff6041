import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import {
  ALSO_GOOD,
  CVV,
  cardUser,
  DECLINED,
  EXPIRY,
  GOOD,
  houseBalance,
  POOR,
  SILENT,
} from '#test/cards.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const someone = async (country_code = 'US') =>
  cardUser(h, await h.user({ client_id: (await h.client({ country_code })).client_id }));
const walletOf = async (user: { as: { user_id: number; token: string } }): Promise<number> => {
  const params = { user_id: user.as.user_id };
  const [, body] = await h.call('GET /wallets/fiat/{user_id}', { as: user.as, params });
  return body.data.wallets[0].wallet_id;
};

test('the fee is 3 percent and public', async () => {
  expect(await h.call('GET /card-checkout/card/fee', { as: 'nobody' })).toEqual([
    200,
    { fee_percentage: 3 },
  ]);
});

test('a checkout credits the net amount at once and books the fee', async () => {
  const user = await someone();
  const [fees, settlement] = await Promise.all([
    houseBalance(h, 'card-fees', 'USD'),
    houseBalance(h, 'card-settlement', 'USD'),
  ]);
  const body = { card_number: GOOD, expiry_date: EXPIRY, amount: 100, currency_code: 'USD' };
  const [status, answer] = await user.post('card', body);
  expect([status, answer]).toEqual([
    200,
    {
      message: 'Card checkout successful',
      data: {
        reference_id: expect.stringMatching(/^TOPUP-[A-Z]{16}$/),
        approval_code: expect.stringMatching(/^\d{6}$/),
        transaction_identifier: expect.stringMatching(/^\d{15}$/),
        card_last4: '1111',
        amount: 100,
        currency: 'USD',
        status: 'SUCCESS_RECEIVED',
        wallet_id: await walletOf(user),
        platform_fee: 3,
        net_amount: 97,
        steps: [1, 2, 3, 4].map((step) => ({ step, description: expect.any(String) })),
      },
    },
  ]);
  expect(await user.balance()).toEqual([97_00n, 0n]);
  expect(await houseBalance(h, 'card-fees', 'USD')).toBe(fees + 3_00n);
  expect(await houseBalance(h, 'card-settlement', 'USD')).toBe(settlement - 100_00n);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test.each([
  ['IDR', 'ID', '150000.50', 4500.02, 145500.48],
  ['VND', 'VN', 250_001, 7501, 242500],
  ['SGD', 'SG', 10.01, 0.31, 9.7],
])('a checkout in %s counts in its own decimals', async (currency, country, amount, fee, net) => {
  const user = await someone(country);
  const [status, { data }] = await user.topUp(amount, ALSO_GOOD, currency);
  expect([status, data.platform_fee, data.net_amount, data.currency, data.amount]).toEqual([
    200,
    fee,
    net,
    currency,
    Number(amount),
  ]);
});

test('zeros that would be thousands in the country are refused, and two decimals are not', async () => {
  const [dong, rupiah] = [await someone('VN'), await someone('ID')];
  for (const amount of ['100.000', '500.000', '1.000'])
    expect(await dong.topUp(amount, ALSO_GOOD, 'VND')).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR' },
    ]);
  expect(await rupiah.topUp('1.000', ALSO_GOOD, 'IDR')).toMatchObject([
    400,
    { code: 'VALIDATION_ERROR' },
  ]);
  const [status, { data }] = await dong.topUp('250001.00', ALSO_GOOD, 'VND');
  expect([status, data.amount]).toEqual([200, 250_001]);
});

test('the USD checkout takes USD only, and every checkout its own wallet', async () => {
  const user = await someone('ID');
  const body = { card_number: GOOD, expiry_date: EXPIRY, amount: 1, currency_code: 'IDR' };
  expect(await user.post('card', body)).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  const missing = { error: 'USD Wallet not found for user', code: 'WALLET_NOT_FOUND' };
  expect(await user.post('card', { ...body, currency_code: 'USD' })).toMatchObject([404, missing]);
  const asked = { card_number: GOOD, expiry_date: EXPIRY, cvv: CVV };
  expect(await user.post('card/validate', asked)).toMatchObject([404, missing]);
  expect(await user.post('card/validatecc', { ...asked, currency: 'AUD' })).toMatchObject([
    404,
    { error: 'AUD Wallet not found for user' },
  ]);
  expect(await user.topUp(1, GOOD, 'SGD')).toMatchObject([
    404,
    { error: 'SGD Wallet not found for user' },
  ]);
  expect(await user.push(1, { currency_code: 'VND' })).toMatchObject([
    404,
    { error: 'VND Wallet not found for user' },
  ]);
});

test('every card endpoint refuses callers without a user’s token in the contract’s words', async () => {
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone: '+6281230000111' } });
  const ids = h.app.features.routes
    .filter(({ id, endpoint }) => id.includes('/card-checkout/') && endpoint.auth === 'user')
    .map(({ id }) => id);
  expect(ids).toHaveLength(8);
  const error = 'Unauthorized: user_id missing';
  for (const id of ids) {
    const request = { params: { reference_id: 'x' }, ...(id.startsWith('POST') && { body: {} }) };
    expect(await h.call(id, request), id).toMatchObject([401, { error, code: 'TOKEN_MISSING' }]);
    for (const as of [{ token }, { token: 'a.b.c' }])
      expect(await h.call(id, { ...request, as }), id).toMatchObject([
        401,
        { error, code: 'TOKEN_INVALID' },
      ]);
    expect(await h.call(id, { ...request, as: 'nobody' })).toMatchObject([
      401,
      { error: 'API key is missing', code: 'API_KEY_MISSING' },
    ]);
  }
});

test('validation answers the merchant, and moves no money', async () => {
  const user = await someone();
  const asked = { card_number: GOOD, expiry_date: EXPIRY, cvv: CVV };
  const common = {
    wallet_id: await walletOf(user),
    card_last4: '1111',
    validation_status: 'APPROVED',
    merchant_info: {
      name: 'Archipay',
      terminal_id: expect.any(String),
      id_code: expect.any(String),
    },
  };
  const address = ['street', 'postal_code', 'city', 'state', 'country'];
  const address_verification = Object.fromEntries(address.map((at) => [at, expect.any(String)]));
  expect(await user.post('card/validate', asked)).toEqual([
    200,
    { message: 'Card validated successfully', data: { ...common, address_verification } },
  ]);
  expect(await user.post('card/validatecc', { ...asked, currency: 'USD' })).toEqual([
    200,
    { message: 'Card validated successfully', data: { ...common, currency: 'USD' } },
  ]);
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await user.post('card/validate', { ...asked, card_number: DECLINED })).toMatchObject([
    400,
    { code: 'CARD_DECLINED' },
  ]);
});

test.each([
  [DECLINED, 'DECLINED', 'The card was declined'],
  [POOR, 'INSUFFICIENT_FUNDS', 'The card has insufficient funds'],
])('the test card %s still declines, and is recorded', async (card, reason, error) => {
  const user = await someone();
  expect(await user.topUp(10, card)).toMatchObject([
    400,
    { error, code: 'CARD_DECLINED', details: { reason } },
  ]);
  expect(await user.balance()).toEqual([0n, 0n]);
  const [, { data }] = await user.history({ wallet_id: await walletOf(user) });
  expect(data).toMatchObject([{ type: 'TOPUP', status: 'FAILED', approval_code: null }]);
});

test('the card that goes silent settles at once in mock mode', async () => {
  const user = await someone();
  expect(await user.topUp(10, SILENT)).toMatchObject([200, { data: { net_amount: 9.7 } }]);
});

test.each([
  ['card_number', '4111111111111112'],
  ['card_number', '411111111111111'],
  ['card_number', '4111-1111-1111-1111'],
  ['card_number', 4111111111111111],
  ['expiry_date', '1320'],
  ['expiry_date', '0125'],
  ['expiry_date', '11/39'],
  ['cvv', '73'],
  ['cvv', '73a'],
])('%s %j is refused without being repeated', async (field, value) => {
  const user = await someone();
  const asked = { card_number: GOOD, expiry_date: EXPIRY, cvv: CVV, [field]: value };
  const [status, answer] = await user.post('card/validate', asked);
  expect([status, answer.code, answer.details?.[0]?.field]).toEqual([
    400,
    'VALIDATION_ERROR',
    field,
  ]);
  // Both may have any digits: the service listens on a port that was free.
  const told = JSON.stringify({ ...answer, request_id: '', doc_url: '' });
  expect(told).not.toContain(String(value));
});

test.each([0, -1, '1e3', '0.001', 1_000_000_000_000, '0.01', null, true, ''])(
  'the amount %j is refused and nothing is stored',
  async (amount) => {
    const user = await someone();
    const [status] = await user.topUp(amount);
    expect(status).toBe(400);
    expect(await user.history({ wallet_id: await walletOf(user) })).toMatchObject([
      200,
      { data: [] },
    ]);
  },
);

test('a missing field is named', async () => {
  const user = await someone();
  expect(await user.post('card/validate', {})).toMatchObject([
    400,
    { error: 'Missing required fields: card_number, expiry_date, cvv' },
  ]);
  expect(await user.post('cardcc', {})).toMatchObject([
    400,
    { error: 'Missing required fields: card_number, expiry_date, amount, currency_code' },
  ]);
  expect(await user.post('card/refund', { amount: 1 })).toMatchObject([
    400,
    { error: 'All refund fields are required.' },
  ]);
  expect(await user.post('card/manual_refund', { amount: 1 })).toMatchObject([
    400,
    { error: 'Missing required fields: currency_code, card_number, recipient_name' },
  ]);
  expect(await user.history({})).toMatchObject([400, { error: 'Wallet ID is required.' }]);
});

test('an owner finds a transaction by its reference and by its retrieval number', async () => {
  const user = await someone();
  const [, { data }] = await user.topUp(20);
  const [status, found] = await user.reference(data.reference_id);
  expect([status, found]).toEqual([
    200,
    {
      message: 'Transaction retrieved successfully',
      data: {
        id: expect.any(Number),
        reference_id: data.reference_id,
        wallet_id: data.wallet_id,
        user_id: user.as.user_id,
        type: 'TOPUP',
        card_last4: '1111',
        amount: 20,
        currency: 'USD',
        status: 'SUCCESS_RECEIVED',
        approval_code: data.approval_code,
        transaction_identifier: data.transaction_identifier,
        platform_fee: 0.6,
        net_amount: 19.4,
        retrieval_reference_number: expect.stringMatching(/^\d{12}$/),
        original_reference: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    },
  ]);
  const byNumber = await user.reference(found.data.retrieval_reference_number);
  expect(byNumber).toEqual([200, found]);
  const stranger = await someone();
  const admin = cardUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
  const elsewhere = cardUser(h, await h.user({ role: 'admin' }));
  const missing = { error: 'Transaction not found', code: 'TRANSACTION_NOT_FOUND' };
  for (const other of [stranger, elsewhere])
    expect(await other.reference(data.reference_id)).toMatchObject([404, missing]);
  expect(await user.reference('nothing')).toMatchObject([404, missing]);
  expect((await admin.reference(data.reference_id))[0]).toBe(200);
});

test('the history is the owner’s, newest first', async () => {
  const user = await someone();
  const wallet_id = await walletOf(user);
  const [, first] = await user.topUp(10);
  const [, second] = await user.topUp(20);
  const [status, { message, data }] = await user.history({ wallet_id });
  expect([status, message]).toEqual([200, 'Transaction history retrieved successfully']);
  expect(data.map((row: { reference_id: string }) => row.reference_id)).toEqual([
    second.data.reference_id,
    first.data.reference_id,
  ]);
  expect(Object.keys(data[0]).sort()).toEqual(
    'amount approval_code card_last4 created_at currency id reference_id status transaction_identifier type'.split(
      ' ',
    ),
  );
  const older = await user.history({ wallet_id, limit: 1, before: data[0].id });
  expect(older).toMatchObject([200, { data: [{ amount: 10 }] }]);
  const stranger = await someone();
  expect(await stranger.history({ wallet_id })).toMatchObject([404, { error: 'Wallet not found' }]);
  expect((await user.history({ wallet_id: 'x' }))[0]).toBe(400);
  for (const query of [{}, { wallet_id: '' }])
    expect(await user.history(query)).toMatchObject([400, { error: 'Wallet ID is required.' }]);
});

test('a callback changes the shown status of a known transaction, and books returns', async () => {
  const user = await someone();
  const [, { data }] = await user.topUp(50);
  const call = (body: object) =>
    h.call('POST /card-checkout/card/callback', { as: 'nobody', body });
  const heard = [200, { message: 'Callback processed successfully' }];
  const transactionIdentifier = data.transaction_identifier;
  expect(await call({ transactionIdentifier, status: 'COMPLETED', amount: 1, x: {} })).toEqual(
    heard,
  );
  expect(await user.reference(data.reference_id)).toMatchObject([
    200,
    { data: { status: 'COMPLETED' } },
  ]);
  expect(await call({ transactionIdentifier: '999', status: 'FAILED' })).toEqual(heard);
  expect(await call({ transactionIdentifier, status: 'FAILED' })).toEqual(heard);
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await user.refund(data.reference_id, 1)).toMatchObject([
    409,
    { code: 'ALREADY_RETURNED' },
  ]);
  expect(await call({ transactionIdentifier, status: 'funds_available' })).toEqual(heard);
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await call({ transactionIdentifier, status: 'COMPLETED' })).toEqual(heard);
  expect(await user.balance()).toEqual([48_50n, 0n]);
  expect(await call({ transactionIdentifier, status: 'funds_available' })).toEqual(heard);
  expect(await user.reference(data.reference_id)).toMatchObject([
    200,
    { data: { status: 'FUNDS_AVAILABLE' } },
  ]);
  for (const status of ['ON-HOLD', 'A', '00', 'Step 2 of 3', 'settled_v1.2']) {
    expect(await call({ transactionIdentifier, status })).toEqual(heard);
    expect(await user.reference(data.reference_id)).toMatchObject([
      200,
      { data: { status: status.toUpperCase() } },
    ]);
  }
  const numbers = ['4111111111111111', '4111 1111 1111 1111', '4111-11.111', 'X123456789'];
  for (const status of ['', ' ', ...numbers, '<b>', 'A'.repeat(41), 'A\n', 7, null])
    expect((await call({ transactionIdentifier, status }))[0]).toBe(400);
  expect((await call({ status: 'COMPLETED' }))[0]).toBe(400);
});

test('the network’s reports of refunds and payouts are events, like those of payments', async () => {
  const user = await someone();
  const [, { data: paid }] = await user.topUp(50);
  expect((await user.refund(paid.reference_id, 10))[0]).toBe(200);
  expect((await user.push(5))[0]).toBe(200);
  const rows = await h.db
    .selectFrom('card_transactions')
    .select(['reference_id', 'transaction_identifier'])
    .where('user_id', '=', user.as.user_id)
    .orderBy('id')
    .execute();
  for (const { transaction_identifier } of rows)
    await h.call('POST /card-checkout/card/callback', {
      as: 'nobody',
      body: { transactionIdentifier: transaction_identifier, status: 'FUNDS_AVAILABLE' },
    });
  const last = async (object: string, n: number) =>
    (await emittedTypes(h, object, rows[n]?.reference_id)).at(-1);
  expect([await last('payment', 0), await last('refund', 1), await last('payout', 2)]).toEqual([
    'payment.updated',
    'refund.updated',
    'payout.updated',
  ]);
});

test('a repeated Idempotency-Key takes the money once', async () => {
  const user = await someone();
  const [first, second] = [
    await user.topUp(10, GOOD, 'USD', 'one'),
    await user.topUp(10, GOOD, 'USD', 'one'),
  ];
  expect(second).toEqual(first);
  expect(await user.balance()).toEqual([9_70n, 0n]);
  expect(await user.topUp(11, GOOD, 'USD', 'one')).toMatchObject([
    422,
    { code: 'IDEMPOTENCY_KEY_REUSED' },
  ]);
});
