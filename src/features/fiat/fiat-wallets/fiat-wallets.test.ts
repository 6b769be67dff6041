import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();

test('a user has a wallet in the currency of the client from the start', async () => {
  const { client_id } = await h.client({ country_code: 'ID' });
  const as = await h.user({ client_id });
  const [status, body] = await h.call('GET /wallets/fiat/{user_id}', {
    as,
    params: { user_id: as.user_id },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    data: { wallets: [{ user_id: as.user_id, currency: 'IDR', balance: '0.00' }] },
  });
});

test('a second wallet of a currency is the first one', async () => {
  const as = await h.user();
  const open = () => h.call('POST /wallets/fiat', { as, body: { currency: 'VND' } });
  const answers = await Promise.all(Array.from({ length: 10 }, open));
  expect(answers.map(([status]) => status).sort()).toEqual([...Array(9).fill(200), 201]);
  expect(new Set(answers.map(([, { data }]) => data.wallet_id)).size).toBe(1);
  expect(answers[0]?.[1].data.balance).toBe('0');
});

test('no user opens or reads another client’s wallets, or learns that they exist', async () => {
  const [owner, thief] = [await h.user(), await h.user({ role: 'admin' })];
  const denied = { success: false, error: { code: 'USER_NOT_FOUND' } };
  const params = { user_id: owner.user_id };
  expect(await h.call('GET /wallets/fiat/{user_id}', { as: thief, params })).toMatchObject([
    404,
    denied,
  ]);
  const body = { currency: 'USD', user_id: owner.user_id };
  expect(await h.call('POST /wallets/fiat', { as: thief, body })).toMatchObject([404, denied]);
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: owner, params });
  const wallet_id = data.wallets[0].wallet_id;
  expect(
    await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
      as: thief,
      params: { wallet_id },
    }),
  ).toMatchObject([404, { error: { code: 'WALLET_NOT_FOUND' } }]);
});

test('an admin opens wallets for users of the own client', async () => {
  const admin = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: admin.client_id });
  const body = { currency: 'SGD', user_id: user.user_id };
  const [status, answer] = await h.call('POST /wallets/fiat', { as: admin, body });
  expect([status, answer.data.user_id]).toEqual([201, user.user_id]);
});

test.each([{}, { currency: 'XXX' }, { currency: 7 }, { currency: 'USD', user_id: 'abc' }])(
  'a wallet is refused for %j',
  async (body) => {
    const as = await h.user();
    const [status, answer] = await h.call('POST /wallets/fiat', { as, body });
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  },
);
