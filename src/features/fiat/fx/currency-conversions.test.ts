import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { banking, type Holder } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();
const { holder, post, balance, sums, give } = banking(h);
const { client_id } = await h.client();

const quoted = async (as: Holder, more: object = {}): Promise<Body> => {
  const wish = { from_currency: 'USD', to_currency: 'IDR', from_amount: '100', ...more };
  const [status, { data }] = await h.call('POST /fx/quotes', { as, body: wish });
  expect(status).toBe(201);
  return data;
};
const convert = (as: Holder, quote_id: string) =>
  post('POST /fx/conversions', as, { body: { quote_id } });

test('a conversion moves what its quote promised, opens the other wallet, and is a payment', async () => {
  const as = await holder(client_id, '150');
  const { quote_id } = await quoted(as);
  const [status, { data }] = await convert(as, quote_id);
  expect([status, data]).toMatchObject([
    201,
    {
      conversion_id: expect.stringMatching(/^cnv_/),
      quote_id,
      from_wallet_id: as.wallet_id,
      from_amount: '100.00',
      to_amount: '1579612.25',
      rate: '15796.1225',
      fee: '0.00',
      status: 'COMPLETED',
    },
  ]);
  expect(await balance(as)).toBe('50.00 0.00');
  const other = await give(as.user_id, '0', 'IDR');
  expect([other.wallet_id, await balance(other)]).toEqual([data.to_wallet_id, '1579612.25 0.00']);
  expect(await sums()).toEqual([]);
  const params = { conversion_id: data.conversion_id };
  const [, read] = await h.call('GET /fx/conversions/{conversion_id}', { as, params });
  expect(read.data).toEqual(data);
  const [, { data: list }] = await h.call('GET /fx/conversions', { as });
  expect(list.items).toEqual([data]);
  const [, { data: payments }] = await h.call('GET /payments', { as, query: { rail: 'fx' } });
  expect(payments.items).toMatchObject([
    { rail: 'fx', direction: 'internal', status: 'SUCCEEDED', amount: '100.00', currency: 'USD' },
  ]);
  const stranger = await holder((await h.client()).client_id);
  const [hidden] = await h.call('GET /fx/conversions/{conversion_id}', { as: stranger, params });
  expect(hidden).toBe(404);
});

test('of twenty conversions by one quote at once one is made', async () => {
  const as = await holder(client_id, '5000');
  const { quote_id } = await quoted(as);
  const all = await Promise.all(Array.from({ length: 20 }, () => convert(as, quote_id)));
  expect(all.filter(([status]) => status === 201)).toHaveLength(1);
  expect(all.filter(([, { error }]) => error?.code === 'QUOTE_USED')).toHaveLength(19);
  expect(await balance(as)).toBe('4900.00 0.00');
});

test('without enough money nothing is moved, and the quote stays open', async () => {
  const as = await holder(client_id, '99.99');
  const { quote_id } = await quoted(as);
  const [status, { error }] = await convert(as, quote_id);
  expect([status, error.code, error.details]).toEqual([
    400,
    'INSUFFICIENT_BALANCE',
    { available: '99.99', required: '100.00', currency: 'USD' },
  ]);
  const params = { quote_id };
  const [, { data }] = await h.call('GET /fx/quotes/{quote_id}', { as, params });
  expect(data.status).toBe('OPEN');
  const usdc = await quoted(as, { to_currency: 'USDC' });
  expect((await convert(as, usdc.quote_id))[1].error.code).toBe('QUOTE_MISMATCH');
});

test('a fee of the client comes on top, as the quote said', async () => {
  const client = await h.client();
  const admin = await h.user({ role: 'admin', client_id: client.client_id });
  const rows = [{ rail: 'fx', currency: 'USD', flat: '0.25', bps: 10 }];
  await h.call('PUT /fees', { as: admin, body: { rows } });
  const as = await holder(client.client_id, '150');
  const { quote_id, fees } = await quoted(as);
  expect(fees).toEqual([{ rail: 'fx', amount: '0.35', currency: 'USD' }]);
  expect((await convert(as, quote_id))[1].data.fee).toBe('0.35');
  expect(await balance(as)).toBe('49.65 0.00');
  expect(await sums()).toEqual([]);
});

test('a policy that denies conversions leaves the quote open', async () => {
  const as = await holder(client_id, '150');
  await run(
    h.db,
    `insert into policies (policy_id, client_id, name, applies_to, outcome, status, published_at)
     values (gen_random_uuid(), $1, 'Wait', '{conversion}', '{"hold_s": 60}', 'PUBLISHED', service_now())`,
    [client_id],
  );
  const { quote_id } = await quoted(as);
  const [status, { error }] = await convert(as, quote_id);
  expect([status, error.code]).toEqual([403, 'POLICY_DENIED']);
  expect(await balance(as)).toBe('150.00 0.00');
});
