import { expect, test } from 'vitest';
import { banking, codeOf } from '#test/banking.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();
const { holder, balance, post, sums } = banking(h);
const operator = await h.operator();
const { client_id } = await h.client();
const admin = await h.user({ role: 'admin', client_id });

const spreads = async (as: Person): Promise<Body> =>
  (await h.call('GET /fx/spreads', { as }))[1].data;
const setSpreads = (as: Person, body: object) => h.call('PUT /fx/spreads', { as, body });
const quoteOf = async (as: Person, more: object = {}): Promise<[number, Body]> =>
  h.call('POST /fx/quotes', {
    as,
    body: { from_currency: 'USD', to_currency: 'SGD', from_amount: '10', ...more },
  });
const convert = (as: Person, quote_id: string) =>
  post('POST /fx/conversions', as, { body: { quote_id } });
const reversal = (as: Person, conversion_id: string): Promise<[number, Body]> =>
  h.call('POST /fx/conversions/{conversion_id}/reversal', {
    as,
    params: { conversion_id },
    body: {},
  });

test('a client’s spread counts where it is above the platform’s, and not below it', async () => {
  const user = await h.user({ client_id });
  const { version, rows, floor } = await spreads(admin);
  expect([rows, floor.find(({ valid_for }: Body) => valid_for === '30s').bps]).toEqual([[], 50]);
  const low = await setSpreads(admin, { rows: [{ valid_for: '30s', bps: 49 }], version });
  expect(codeOf(low)).toEqual([400, 'FEE_BELOW_FLOOR']);
  const pair = { from: 'USD', to: 'SGD', valid_for: '30s', bps: 80 };
  const [status, { data }] = await setSpreads(admin, { rows: [pair], version });
  expect([status, data.rows, data.version]).toEqual([200, [pair], version + 1]);
  expect((await quoteOf(user))[1].data.spread_bps).toBe(80);
  expect((await quoteOf(user, { to_currency: 'AUD' }))[1].data.spread_bps).toBe(50);
  expect((await quoteOf(await h.user()))[1].data.spread_bps).toBe(50);
});

test('spreads are replaced by the version that was read, by admins alone', async () => {
  const { version } = await spreads(admin);
  expect(codeOf(await setSpreads(admin, { rows: [] }))).toEqual([400, 'VALIDATION_ERROR']);
  const both = await Promise.all([
    setSpreads(admin, { rows: [], version }),
    setSpreads(admin, { rows: [], version }),
  ]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
  expect((await setSpreads(await h.user({ client_id }), { rows: [], version }))[0]).toBe(403);
  const next = (await spreads(admin)).version;
  const twice = { from: 'USD', to: 'SGD', valid_for: '30s', bps: 80 };
  for (const rows of [
    [twice, twice],
    [{ from: 'USD', valid_for: '30s', bps: 80 }],
    [{ ...twice, to: 'USD' }],
    [{ ...twice, bps: 1001 }],
  ])
    expect(codeOf(await setSpreads(admin, { rows, version: next }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  const { version: own } = await spreads(operator);
  const none = await setSpreads(operator, { rows: [], version: own });
  expect(codeOf(none)).toEqual([400, 'VALIDATION_ERROR']);
});

test('the operator sees positions, and a limit that is lowered refuses quotes', async () => {
  const user = await h.user({ client_id });
  const positions = async () => (await h.call('GET /fx/positions', { as: operator }))[1].data;
  const before: Body = await positions();
  const vnd = before.items.find(({ currency }: Body) => currency === 'VND');
  await quoteOf(user, { to_currency: 'VND' });
  const after: Body = await positions();
  const now = after.items.find(({ currency }: Body) => currency === 'VND');
  expect(Number(now.quoted_out)).toBeGreaterThan(Number(vnd.quoted_out));
  const limits = [{ currency: 'VND', max_open_usd: '1' }];
  const body = { limits, version: after.version };
  expect((await h.call('PUT /fx/limits', { as: admin, body }))[0]).toBe(403);
  const [status, { data }] = await h.call('PUT /fx/limits', { as: operator, body });
  expect([status, data.version]).toEqual([200, after.version + 1]);
  expect(codeOf(await quoteOf(user, { to_currency: 'VND' }))).toEqual([503, 'POSITION_LIMIT']);
  const again = await h.call('PUT /fx/limits', { as: operator, body });
  expect(codeOf(again)).toEqual([409, 'VERSION_CONFLICT']);
});

test('a conversion is taken back once, at a cost that is said before', async () => {
  const ada = await holder(client_id, '50');
  const [, { data: quote }] = await quoteOf(ada);
  const [, { data: made }] = await convert(ada, quote.quote_id);
  expect(await balance(ada)).toBe('40.00 0.00');
  const [status, { data }] = await reversal(ada, made.conversion_id);
  expect([status, data.quote.from_amount, data.quote.from_currency]).toEqual([
    ...[201, made.to_amount, 'SGD'],
  ]);
  expect(Number(data.cost)).toBeCloseTo(10 - Number(data.quote.to_amount), 5);
  expect([Number(data.cost) > 0, data.currency]).toEqual([true, 'USD']);
  const other = await reversal(ada, made.conversion_id);
  const both = await Promise.all([
    convert(ada, data.quote.quote_id),
    convert(ada, other[1].data.quote.quote_id),
  ]);
  expect(both.map(([code]) => code).sort()).toEqual([201, 409]);
  const back = both.find(([code]) => code === 201)?.[1].data;
  expect(back.reverses).toBe(made.conversion_id);
  const [, { data: first }] = await h.call('GET /fx/conversions/{conversion_id}', {
    as: ada,
    params: { conversion_id: made.conversion_id },
  });
  expect(first.reversed_by).toBe(back.conversion_id);
  expect(await balance(ada)).toBe(`${(50 - Number(data.cost)).toFixed(2)} 0.00`);
  expect(codeOf(await reversal(ada, made.conversion_id))).toEqual([409, 'INVALID_STATUS']);
  expect(codeOf(await reversal(ada, back.conversion_id))).toEqual([409, 'INVALID_STATUS']);
  expect(await sums()).toEqual([]);
});

test('the quote of a reversal pays nothing else, and no one else’s conversion is quoted', async () => {
  const [ada, ben] = [await holder(client_id, '50'), await holder(client_id)];
  const [, { data: quote }] = await quoteOf(ada);
  const [, { data: made }] = await convert(ada, quote.quote_id);
  expect(codeOf(await reversal(ben, made.conversion_id))).toEqual([404, 'NOT_FOUND']);
  const { quote_id, from_amount } = (await reversal(ada, made.conversion_id))[1].data.quote;
  const [, { data: wallets }] = await h.call('GET /wallets/fiat/{user_id}', {
    as: ada,
    params: { user_id: ada.user_id },
  });
  const { wallet_id } = wallets.wallets.find(({ currency }: Body) => currency === 'SGD');
  const sent = await post('POST /wallets/fiat/transfers', ada, {
    body: {
      from_wallet_id: wallet_id,
      to: { user_id: ben.user_id },
      amount: from_amount,
      quote_id,
    },
  });
  expect(codeOf(sent)).toEqual([409, 'QUOTE_MISMATCH']);
});
