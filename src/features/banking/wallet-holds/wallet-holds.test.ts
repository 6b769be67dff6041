import { expect, test } from 'vitest';
import { banking, codeOf, type Holder } from '#test/banking.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();
const { client_id } = await h.client();
const { holder, balance, post, sums } = banking(h);
const payer = await holder(client_id, '200.00');
const payee = await holder(client_id);
const admin = await h.user({ role: 'admin', client_id });

const place = (from: Holder, body: object) =>
  post('POST /wallets/fiat/{wallet_id}/holds', from, {
    params: { wallet_id: from.wallet_id },
    body: { to: { wallet_id: payee.wallet_id }, ...body },
  });
const act = (what: 'capture' | 'void', as: Holder, hold_id: string, body?: object) =>
  post(`POST /wallets/fiat/holds/{hold_id}/${what}`, as, { params: { hold_id }, body });
const read = async (as: Holder, hold_id: string): Promise<Body> =>
  (await h.call('GET /wallets/fiat/holds/{hold_id}', { as, params: { hold_id } }))[1].data;

async function placed(amount: string, more: object = {}): Promise<string> {
  const [status, { data }] = await place(payer, { amount, ...more });
  expect([status, data.status, data.remaining]).toEqual([201, 'OPEN', amount]);
  return data.hold_id;
}

test('its payee takes a hold in parts, until nothing remains', async () => {
  const hold_id = await placed('80.00');
  expect(await balance(payer)).toBe('200.00 80.00');
  const [, { data }] = await act('capture', payee, hold_id, { amount: '30.00' });
  expect(data).toMatchObject({
    status: 'PARTIALLY_CAPTURED',
    captured: '30.00',
    remaining: '50.00',
  });
  expect([await balance(payer), await balance(payee)]).toEqual(['170.00 50.00', '30.00 0.00']);
  const over = await act('capture', payee, hold_id, { amount: '50.01' });
  expect(over[1].error).toMatchObject({ code: 'INVALID_AMOUNT', details: { remaining: '50.00' } });
  expect((await act('capture', payee, hold_id, {}))[1].data.status).toBe('CAPTURED');
  expect([await balance(payer), await balance(payee)]).toEqual(['120.00 0.00', '80.00 0.00']);
  expect(codeOf(await act('capture', payee, hold_id, {}))).toEqual([409, 'INVALID_STATUS']);
  expect(await read(payer, hold_id)).toMatchObject({ side: 'sent', remaining: '0.00' });
  expect(await read(payee, hold_id)).toMatchObject({ side: 'received' });
});

test('a final part frees the rest', async () => {
  const before = await balance(payee);
  const hold_id = await placed('20.00');
  const [, { data }] = await act('capture', payee, hold_id, { amount: '5.00', final: true });
  expect(data).toMatchObject({ status: 'CAPTURED', captured: '5.00', remaining: '0.00' });
  expect([before, await balance(payer)]).toEqual(['80.00 0.00', '115.00 0.00']);
});

test('its payee or an admin gives a hold up, never its payer', async () => {
  const before = await balance(payer);
  const hold_id = await placed('10.00');
  expect(codeOf(await act('void', payer, hold_id))).toEqual([403, 'FORBIDDEN']);
  expect(codeOf(await act('capture', payer, hold_id, {}))).toEqual([403, 'FORBIDDEN']);
  const stranger = await holder(client_id);
  expect(codeOf(await act('void', stranger, hold_id))).toEqual([404, 'NOT_FOUND']);
  expect((await act('void', payee, hold_id))[1].data.status).toBe('VOIDED');
  expect((await act('void', payee, hold_id))[0]).toBe(200);
  const other = await placed('10.00');
  expect((await act('void', { ...payee, ...admin }, other))[1].data.status).toBe('VOIDED');
  expect(await balance(payer)).toBe(before);
});

test('what is not taken in time is the payer’s again', async () => {
  const before = await balance(payer);
  const hold_id = await placed('10.00', { expires_in_s: 600 });
  await h.advance(700);
  expect(codeOf(await act('capture', payee, hold_id, {}))).toEqual([409, 'INVALID_STATUS']);
  await h.drain();
  await h.advance(60);
  await h.drain();
  expect((await read(payer, hold_id)).status).toBe('EXPIRED');
  expect(await balance(payer)).toBe(before);
});

test('a fee is held on top, and charged in proportion to what is taken', async () => {
  const rows = [{ rail: 'wallet', currency: 'USD', flat: '1.00', bps: 0 }];
  expect((await h.call('PUT /fees', { as: admin, body: { rows } }))[0]).toBe(200);
  const from = await holder(client_id, '50.00');
  const [, { data }] = await place(from, { amount: '40.00' });
  expect(await balance(from)).toBe('50.00 41.00');
  await act('capture', payee, data.hold_id, { amount: '10.00' });
  expect(await balance(from)).toBe('39.75 30.75');
  const [, last] = await act('capture', payee, data.hold_id, {});
  expect([last.data.status, await balance(from)]).toEqual(['CAPTURED', '9.00 0.00']);
});

test('captures at once take no more than was set aside, and holds never overdraw', async () => {
  const from = await holder(client_id, '10.00');
  const all = await Promise.all(Array.from({ length: 20 }, () => place(from, { amount: '1.00' })));
  // The fee of each comes on top.
  expect(all.filter(([status]) => status === 201)).toHaveLength(5);
  const hold_id = all.find(([status]) => status === 201)?.[1].data.hold_id;
  const taken = await Promise.all(
    Array.from({ length: 10 }, () => act('capture', payee, hold_id, { amount: '0.30' })),
  );
  expect(taken.filter(([status]) => status === 200)).toHaveLength(3);
  expect(await sums()).toEqual([]);
});

test('wrong amounts and wallets are refused', async () => {
  const own = await place(payer, { amount: '1.00', to: { wallet_id: payer.wallet_id } });
  expect(codeOf(own)).toEqual([400, 'SAME_WALLET']);
  for (const amount of ['0', '-1', '1.001'])
    expect(codeOf(await place(payer, { amount }))).toEqual([400, 'VALIDATION_ERROR']);
  const much = await place(await holder(client_id, '1.00'), { amount: '2.00' });
  expect(much[1].error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  const list = await h.call('GET /wallets/fiat/holds', { as: payee, query: { side: 'received' } });
  expect(list[1].data.items.length).toBeGreaterThan(3);
});

test('a balance is shown as posted, held and available, and of a moment before', async () => {
  const from = await holder(client_id, '10.00');
  const params = { wallet_id: from.wallet_id };
  const get = async (query?: { at: string }): Promise<[number, Body]> =>
    h.call('GET /wallets/fiat/{wallet_id}/balance', { as: from, params, ...(query && { query }) });
  const [, { data: before }] = await get();
  expect(before).toMatchObject({ posted: '10.00', held: '0.00', available: '10.00', sequence: 1 });
  await h.advance(10);
  await place(from, { amount: '4.00' });
  expect((await get())[1].data).toMatchObject({ held: '5.00', available: '5.00', sequence: 2 });
  expect((await get({ at: before.as_of }))[1].data).toEqual(before);
  expect(codeOf(await get({ at: '2999-01-01T00:00:00Z' }))).toEqual([400, 'VALIDATION_ERROR']);
});
