import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { quotedLegs, usedQuote, useQuote } from './fx.ts';

const h = await harness();
const ask = (as: Person, body: object): Promise<[number, Body]> =>
  h.call('POST /fx/quotes', { as, body });
const made = async (as: Person, body: object): Promise<Body> => {
  const [status, { data, error }] = await ask(as, body);
  expect([status, error?.code]).toEqual([201, undefined]);
  return data;
};
const USD_TO_IDR = { from_currency: 'USD', to_currency: 'IDR', from_amount: '100' };
const read = async (as: Person, quote_id: string) =>
  (await h.call('GET /fx/quotes/{quote_id}', { as, params: { quote_id } }))[1].data;
const uuidOf = (id: string): string => uuidOfObjectId('qte', id) ?? '';
const use = (user_id: number, quote_id: string, used_by: string, more: object = {}) =>
  transact(h.db, (tx) =>
    useQuote(tx, { quote_id: uuidOf(quote_id), user_id, used_by, from: 'USD', ...more }),
  );

test('a quote says what it comes to and why, and is as large as it was promised', async () => {
  const as = await h.user();
  const quote = await made(as, USD_TO_IDR);
  expect(quote).toEqual({
    quote_id: expect.stringMatching(/^qte_[0-9a-z]{26}$/),
    kind: 'fx',
    status: 'OPEN',
    fixed_side: 'from',
    from_currency: 'USD',
    from_amount: '100.00',
    to_currency: 'IDR',
    to_amount: '1579612.25',
    rate: '15796.1225',
    inverse_rate: expect.stringMatching(/^0\.0000633/),
    mid_rate: '15875.5',
    spread_bps: 50,
    valid_for: '30s',
    rate_source: 'coinbase',
    rates_at: expect.stringMatching(/Z$/),
    route: 'USD → USDC → IDR',
    rounding: { mode: 'down', residue: '0' },
    fees: [],
    used_by: null,
    reverses: null,
    bridge: null,
    created_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
    signature: expect.any(String),
  });
  expect(Date.parse(quote.expires_at) - Date.parse(quote.created_at)).toBe(30_000);
  expect(await read(as, quote.quote_id)).toEqual(quote);
  const bought = await made(as, {
    from_currency: 'USD',
    to_currency: 'VND',
    to_amount: '25000',
    valid_for: '24h',
  });
  expect(bought).toMatchObject({ fixed_side: 'to', to_amount: '25000', spread_bps: 200 });
  expect(bought).toMatchObject({ from_amount: '1.01', rounding: { mode: 'up' } });
});

test('anybody who holds a quote verifies its terms by the published key', async () => {
  const as = await h.user();
  const { signature, quote_id, to_amount } = await made(as, USD_TO_IDR);
  const [head = '', terms = '', signed = ''] = signature.split('.');
  const [, { data }] = await h.call('GET /fx/quote-keys');
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const jwk = data.keys.find((key: Body) => key.kid === kid);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const holds = (text: string) =>
    verify(null, Buffer.from(`${head}.${text}`), key, Buffer.from(signed, 'base64url'));
  expect(holds(terms)).toBe(true);
  const said = JSON.parse(Buffer.from(terms, 'base64url').toString());
  expect(said).toMatchObject({ quote_id, to_amount, sub: String(as.user_id) });
  const forged = Buffer.from(JSON.stringify({ ...said, to_amount: '9999999.00' }));
  expect(holds(forged.toString('base64url'))).toBe(false);
});

test.each([
  [{ ...USD_TO_IDR, to_currency: 'USD' }, 'CURRENCY_MISMATCH'],
  [{ ...USD_TO_IDR, to_amount: '1' }, 'VALIDATION_ERROR'],
  [{ from_currency: 'USD', to_currency: 'IDR' }, 'VALIDATION_ERROR'],
  [{ ...USD_TO_IDR, from_amount: '0' }, 'VALIDATION_ERROR'],
  [{ ...USD_TO_IDR, from_amount: '-1' }, 'VALIDATION_ERROR'],
  [{ ...USD_TO_IDR, from_amount: '1.001' }, 'VALIDATION_ERROR'],
  [{ ...USD_TO_IDR, from_amount: '1e3' }, 'VALIDATION_ERROR'],
  [{ ...USD_TO_IDR, from_currency: 'EUR' }, 'VALIDATION_ERROR'],
  [{ ...USD_TO_IDR, valid_for: '2h' }, 'VALIDATION_ERROR'],
  [{ from_currency: 'VND', to_currency: 'USD', from_amount: '1' }, 'AMOUNT_BELOW_MINIMUM'],
])('%j is not quoted', async (body, code) => {
  const [status, { error }] = await ask(await h.user(), body);
  expect([status, error.code]).toEqual([400, code]);
});

test('a quote is used once, by its owner, for what it was made for', async () => {
  const as = await h.user();
  const other = await h.user();
  const { user_id } = as;
  const { quote_id } = await made(as, USD_TO_IDR);
  const refused = (of: Promise<unknown>) =>
    of.then(
      () => 'used',
      (error) => error.code,
    );
  expect(await refused(use(other.user_id, quote_id, 'trf_1'))).toBe('NOT_FOUND');
  for (const terms of [{ from: 'SGD' }, { to: 'VND' }, { sells: 1n }, { buys: 1n }])
    expect(await refused(use(user_id, quote_id, 'trf_1', terms))).toBe('QUOTE_MISMATCH');
  const tries = Array.from({ length: 20 }, (_, n) =>
    refused(use(user_id, quote_id, `trf_${n}`, { to: 'IDR', sells: 10_000n, buys: 157_961_225n })),
  );
  const ends = await Promise.all(tries);
  expect(ends.filter((end) => end === 'used')).toHaveLength(1);
  expect(ends.filter((end) => end === 'QUOTE_USED')).toHaveLength(19);
  const { status, used_by } = await read(as, quote_id);
  expect(status).toBe('USED');
  await expect(use(user_id, quote_id, 'trf_x')).rejects.toMatchObject({ details: { used_by } });
});

test('a use that is rolled back leaves the quote open', async () => {
  const as = await h.user();
  const { quote_id } = await made(as, USD_TO_IDR);
  const failed = transact(h.db, async (tx) => {
    const use = { quote_id: uuidOf(quote_id), user_id: as.user_id, used_by: 'trf_1' };
    await useQuote(tx, { ...use, from: 'USD' });
    throw new Error('no money');
  });
  await expect(failed).rejects.toThrow('no money');
  expect((await read(as, quote_id)).status).toBe('OPEN');
});

test('what a quote moves sums to zero in each asset, and is recorded with it', async () => {
  const as = await h.user();
  const { user_id } = as;
  const { quote_id } = await made(as, USD_TO_IDR);
  const uuid = uuidOf(quote_id);
  await use(user_id, quote_id, 'trf_1');
  await transact(h.db, async (tx) => {
    const trade = await usedQuote(tx, { quote_id: uuid, user_id, used_by: 'trf_1' });
    const payer = await openAccount(tx, houseAccount('test', 'USD'));
    const payee = await openAccount(tx, houseAccount('test', 'IDR'));
    const legs = await quotedLegs(tx, trade, { payer, payee, reference: 'fx-test:quoted' });
    expect(legs.map(({ amount }) => amount)).toEqual([
      -10_000n,
      10_000n,
      -157_961_225n,
      157_961_225n,
    ]);
    await postWithin(tx, { key: 'fx-test:quoted', kind: 'test', legs });
  });
  const [row] = await run(h.db, 'select * from fx_conversions where quote_id = $1', [uuid]);
  expect(row).toMatchObject({
    reference: 'fx-test:quoted',
    from_units: 10_000n,
    to_units: 157_961_225n,
  });
});

test('a quote ends with its time, and is then neither used nor cancelled', async () => {
  const as = await h.user();
  const { quote_id } = await made(as, USD_TO_IDR);
  const { quote_id: kept } = await made(as, { ...USD_TO_IDR, valid_for: '1h' });
  await h.advance(31);
  await expect(use(as.user_id, quote_id, 'trf_1')).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
  expect((await read(as, quote_id)).status).toBe('EXPIRED');
  const cancel = (id: string) =>
    h.call('POST /fx/quotes/{quote_id}/cancel', { as, params: { quote_id: id } });
  const [status, { error }] = await cancel(quote_id);
  expect([status, error]).toMatchObject([
    409,
    { code: 'INVALID_STATUS', details: { status: 'EXPIRED', allowed: ['OPEN'] } },
  ]);
  expect([(await cancel(kept))[0], (await cancel(kept))[0]]).toEqual([200, 200]);
  await expect(use(as.user_id, kept, 'trf_1')).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
  await h.advance(60);
  await h.drain();
  const stored = await run(
    h.db,
    'select distinct status from quotes where user_id = $1 order by status',
    [as.user_id],
  );
  expect(stored).toEqual([{ status: 'CANCELLED' }, { status: 'EXPIRED' }]);
});

test('a used quote holds while rates are away, and none is made then', async () => {
  const as = await h.user();
  const { quote_id } = await made(as, { ...USD_TO_IDR, valid_for: '1h' });
  await h.advance(601);
  await h.sandbox('POST', '/faults', { provider: 'fx', kind: 'error', times: 100 });
  const [status, { error }] = await ask(as, USD_TO_IDR);
  expect([status, error.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect((await use(as.user_id, quote_id, 'trf_1')).bought.units).toBe(157_167_450n);
  await h.sandbox('DELETE', '/faults');
});

test('at most twenty quotes of a user are open, also of fifty at once', async () => {
  const as = await h.user();
  const all = await Promise.all(Array.from({ length: 50 }, () => ask(as, USD_TO_IDR)));
  expect(all.filter(([status]) => status === 201)).toHaveLength(20);
  const [, { error }] = all.find(([status]) => status === 429) ?? all[0] ?? [];
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 20, used: 20 } });
  expect(Date.parse(error.details.resets_at)).toBeGreaterThan(h.clock.ms());
  await h.advance(31);
  expect((await ask(as, USD_TO_IDR))[0]).toBe(201);
});

test('open quotes count against the limit of a currency, also of fifty at once', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => h.user()));
  await run(h.db, "update fx_limits set max_open_usd = 100000 where currency = 'AUD'", []);
  const wish = { from_currency: 'AUD', to_currency: 'SGD', from_amount: '153.01' };
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, n) => ask(people[n % 10] as Person, wish)),
  );
  // Each is worth a hundred dollars.
  expect(all.filter(([status]) => status === 201)).toHaveLength(10);
  const [, { error }] = all.find(([status]) => status !== 201) ?? [];
  expect(error).toMatchObject({ code: 'POSITION_LIMIT', details: { currency: 'AUD' } });
  // Who sells the platform what it may owe by open quotes is welcome.
  expect(
    (await ask(people[0] as Person, { ...wish, from_currency: 'SGD', to_currency: 'AUD' }))[0],
  ).toBe(201);
  await h.advance(31);
  expect((await ask(people[1] as Person, wish))[0]).toBe(201);
});

test('quotes are listed newest first, by status, and are nothing to others', async () => {
  const as = await h.user();
  const first = await made(as, USD_TO_IDR);
  const second = await made(as, { ...USD_TO_IDR, valid_for: '24h' });
  const list = async (query: Record<string, string>, who = as) =>
    (await h.call('GET /fx/quotes', { as: who, query }))[1].data;
  const one = await list({ limit: '1' });
  expect(one.items).toEqual([second]);
  expect((await list({ limit: '1', cursor: one.next_cursor })).items).toEqual([first]);
  await h.advance(31);
  expect((await list({ status: 'OPEN' })).items).toEqual([second]);
  expect((await list({ status: 'EXPIRED' })).items).toEqual([{ ...first, status: 'EXPIRED' }]);
  expect((await list({ status: 'USED', kind: 'fx' })).items).toEqual([]);
  const admin = await h.user({ role: 'admin' });
  expect((await list({}, admin)).items).toEqual([]);
  const params = { quote_id: first.quote_id };
  expect((await h.call('GET /fx/quotes/{quote_id}', { as: admin, params }))[0]).toBe(404);
  expect((await h.call('POST /fx/quotes/{quote_id}/cancel', { as: admin, params }))[0]).toBe(404);
  const wrong = { quote_id: 'cnv_0123456789abcdefghjkmnpqrs' };
  expect((await h.call('GET /fx/quotes/{quote_id}', { as, params: wrong }))[0]).toBe(400);
});

test('currencies come with their digits, limits and spreads', async () => {
  const [status, { data }] = await h.call('GET /fx/currencies');
  expect([status, data.length]).toEqual([200, 7]);
  expect(data.find(({ currency }: Body) => currency === 'VND')).toEqual({
    currency: 'VND',
    digits: 0,
    min: '1',
    max: '25410000000',
    valid_for: [
      { period: '30s', spread_bps: 50 },
      { period: '5m', spread_bps: 60 },
      { period: '1h', spread_bps: 100 },
      { period: '24h', spread_bps: 200 },
    ],
  });
});
