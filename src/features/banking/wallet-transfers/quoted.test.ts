import { expect, test } from 'vitest';
import { readTallies } from '#kernel/tallies/tallies.ts';
import { banking, codeOf } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';
import { linkIn } from '#test/mails.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance, post, send, sums } = banking(h);

const quoteOf = async (as: Awaited<ReturnType<typeof holder>>, more: object = {}) => {
  const body = { from_currency: 'USD', to_currency: 'SGD', from_amount: '10', valid_for: '24h' };
  const [status, { data }] = await h.call('POST /fx/quotes', { as, body: { ...body, ...more } });
  expect(status).toBe(201);
  return data as Body;
};
const statusOf = async (as: Awaited<ReturnType<typeof holder>>, quote_id: string) => {
  const [, { data }] = await h.call('GET /fx/quotes/{quote_id}', { as, params: { quote_id } });
  return [data.status, data.used_by];
};
const promised = async () => (await readTallies(h.db, 'open quotes')).get('out SGD') ?? 0;

test('a transfer by a quote pays in one currency and arrives in another', async () => {
  const [ada, ben] = [await holder(client_id, '50'), await holder(client_id)];
  const { quote_id, to_amount } = await quoteOf(ada);
  const [status, { data }] = await send(ada, {
    to: { user_id: ben.user_id },
    amount: '10',
    quote_id,
  });
  expect([status, data.status, data.amount, data.currency]).toEqual([
    201,
    'COMPLETED',
    '10.00',
    'USD',
  ]);
  expect([data.received, data.quote_id]).toEqual([
    { amount: to_amount, currency: 'SGD' },
    quote_id,
  ]);
  expect(await balance(ada)).toBe('40.00 0.00');
  expect(await statusOf(ada, quote_id)).toEqual(['USED', data.transfer_id]);
  const [, { data: seen }] = await h.call('GET /wallets/fiat/transfers/{transfer_id}', {
    as: ben,
    params: { transfer_id: data.transfer_id },
  });
  expect([seen.amount, seen.currency, seen.quote_id]).toEqual([to_amount, 'SGD', null]);
  const [, { data: wallets }] = await h.call('GET /wallets/fiat/{user_id}', {
    as: ben,
    params: { user_id: ben.user_id },
  });
  const sgd = wallets.wallets.find(({ currency }: Body) => currency === 'SGD');
  expect(sgd.balance).toBe(to_amount);
  const [, { data: payments }] = await h.call('GET /payments', {
    as: ben,
    query: { rail: 'wallet' },
  });
  expect(payments.items).toMatchObject([{ amount: to_amount, currency: 'SGD' }]);
  expect(await sums()).toEqual([]);
});

test('one quote pays one transfer, of the amount and the currency that it sells', async () => {
  const [ada, ben] = [await holder(client_id, '50'), await holder(client_id)];
  const to = { user_id: ben.user_id };
  const { quote_id } = await quoteOf(ada);
  expect(codeOf(await send(ada, { to, amount: '9', quote_id }))).toEqual([409, 'QUOTE_MISMATCH']);
  expect(
    codeOf(await send(ada, { to: { wallet_id: ben.wallet_id }, amount: '10', quote_id })),
  ).toEqual([400, 'CURRENCY_MISMATCH']);
  const split = [
    { to, amount: '5' },
    { to: { user_id: ada.user_id }, amount: '5' },
  ];
  expect(codeOf(await send(ada, { split, quote_id }))).toEqual([400, 'VALIDATION_ERROR']);
  const stolen = await send(await holder(client_id, '50'), { to, amount: '10', quote_id });
  expect(codeOf(stolen)).toEqual([404, 'NOT_FOUND']);
  expect(await statusOf(ada, quote_id)).toEqual(['OPEN', null]);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => send(ada, { to, amount: '10', quote_id })),
  );
  expect(all.filter(([status]) => status === 201)).toHaveLength(1);
  const others = all.filter(([status]) => status !== 201).map(codeOf);
  expect(others).toEqual(others.map(() => [409, 'QUOTE_USED']));
  expect(await balance(ada)).toBe('40.00 0.00');
  expect(await sums()).toEqual([]);
});

test('money that is claimed later arrives at the quoted rate, and stays promised until then', async () => {
  const ada = await holder(client_id, '50');
  const before = await promised();
  const { quote_id, to_amount } = await quoteOf(ada);
  const during = await promised();
  expect(during).toBeGreaterThan(before);
  const address = `quoted-${ada.user_id}@example.org`;
  const [, { data }] = await send(ada, { to: { email: address }, amount: '10', quote_id });
  expect([data.status, await balance(ada)]).toEqual(['PENDING', '50.00 10.00']);
  expect(await promised()).toBe(during);
  await h.drain();
  const { token } = linkIn((await h.messages(address)).at(0));
  const eve = await h.user({ client_id, email: address });
  await banking(h).confirm(eve);
  const [status, { data: claimed }] = await post(
    'POST /wallets/fiat/transfers/{transfer_id}/claim',
    eve,
    { params: { transfer_id: data.transfer_id }, body: { claim_token: token } },
  );
  expect([status, claimed.amount, claimed.currency]).toEqual([200, to_amount, 'SGD']);
  expect([await balance(ada), await promised()]).toEqual(['40.00 0.00', before]);
  expect(await sums()).toEqual([]);
});

test('a cancelled one frees its money and its promise, and does not open the quote again', async () => {
  const ada = await holder(client_id, '50');
  const before = await promised();
  const { quote_id } = await quoteOf(ada);
  const to = { email: `cancelled-${ada.user_id}@example.org` };
  const [, { data }] = await send(ada, { to, amount: '10', quote_id });
  const [status] = await h.call('POST /wallets/fiat/transfers/{transfer_id}/cancel', {
    as: ada,
    params: { transfer_id: data.transfer_id },
  });
  expect([status, await balance(ada), await promised()]).toEqual([200, '50.00 0.00', before]);
  expect(await statusOf(ada, quote_id)).toEqual(['USED', data.transfer_id]);
});
