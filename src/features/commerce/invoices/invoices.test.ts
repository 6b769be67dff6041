import { expect, test } from 'vitest';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf, walletOf } from '#test/invoices.ts';

const h = await harness();
const invoices = invoicesOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
// Schedules are due from their first run on.
await h.drain();
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

test('an invoice says what is owed, by whom and for what', async () => {
  const items = [
    { name: 'Desk lamp', quantity: 2, unit_amount: '7.50' },
    { name: 'Shipping', quantity: 1, unit_amount: 5 },
  ];
  const data = await invoices.created(merchant, {
    items,
    customer: { name: 'Grace Hopper', email: 'grace@example.com' },
    reference: 'order-2041',
    metadata: { shop: 'lamps' },
  });
  expect(data).toMatchObject({
    invoice_id: expect.stringMatching(/^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    wallet_id: await walletOf(h, merchant),
    amount: '20.00',
    currency: 'USD',
    to_pay: '20.00',
    paid_amount: '0.00',
    refunded_amount: '0.00',
    refund_status: 'NONE',
    customer: { name: 'Grace Hopper', email: 'grace@example.com', phone: null },
    items: [
      { name: 'Desk lamp', quantity: 2, unit_amount: '7.50' },
      { name: 'Shipping', quantity: 1, unit_amount: '5.00' },
    ],
    split: [],
    fee_bearer: 'merchant',
    payments: [],
    reference: 'order-2041',
    metadata: { shop: 'lamps' },
    status: 'OPEN',
    substatus: 'waiting_for_person',
    version: 1,
  });
  expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(86_400_000);
  expect((await invoices.read(merchant, data.invoice_id))[1].data).toEqual(data);
});

test('items that do not add up are refused with both sums', async () => {
  const items = [{ name: 'Desk lamp', quantity: 2, unit_amount: '7.50' }];
  const [status, { error }] = await invoices.create(merchant, { items });
  expect([status, error.code, error.details]).toEqual([
    400,
    'AMOUNT_MISMATCH',
    { amount: '20.00', items: '15.00', currency: 'USD' },
  ]);
});

test('what is split fits into what arrives, among wallets of the client in the same currency', async () => {
  const own = await walletOf(h, merchant);
  const courier = await walletOf(h, await h.user({ client_id }));
  const foreign = await walletOf(h, await h.user());
  const refusal = async (split: object[]) => codeOf(await invoices.create(merchant, { split }));
  const part = { wallet_id: courier, amount: '2.00', reference: 'courier' };
  expect(await refusal([{ ...part, wallet_id: foreign }])).toEqual([404, 'WALLET_NOT_FOUND']);
  expect(await refusal([{ ...part, wallet_id: own }])).toEqual([400, 'SAME_WALLET']);
  expect(await refusal([part, part])).toEqual([400, 'SAME_WALLET']);
  for (const wrong of [
    { ...part, amount: '20.01' },
    { ...part, percent: '10' },
    { wallet_id: courier, reference: 'courier' },
    { wallet_id: courier, percent: '100.01', reference: 'courier' },
    { wallet_id: courier, percent: '0', reference: 'courier' },
  ])
    expect(await refusal([wrong]), JSON.stringify(wrong)).toEqual([400, 'VALIDATION_ERROR']);
  const split = [{ wallet_id: courier, percent: '2.5', reference: 'courier' }];
  expect((await invoices.created(merchant, { split })).split).toEqual([
    { wallet_id: courier, amount: '0.50', percent: '2.50', reference: 'courier' },
  ]);
});

test('a reference is used once, and a wallet of another currency receives nothing', async () => {
  const { invoice_id } = await invoices.created(merchant, { reference: 'once' });
  const [status, { error }] = await invoices.create(merchant, { reference: 'once' });
  expect([status, error.code, error.details]).toEqual([
    409,
    'REFERENCE_IN_USE',
    { id: invoice_id },
  ]);
  const wallet_id = await walletOf(h, merchant);
  const other = { wallet_id, currency: 'SGD' };
  expect(codeOf(await invoices.create(merchant, other))).toEqual([400, 'CURRENCY_MISMATCH']);
});

test('an invoice ends by its time or its merchant, once', async () => {
  const { invoice_id } = await invoices.created(merchant);
  const [, { data }] = await invoices.cancel(merchant, invoice_id);
  expect(data).toMatchObject({ status: 'CANCELLED', to_pay: '0.00', version: 2 });
  expect((await invoices.cancel(merchant, invoice_id))[1].data).toEqual(data);
  const short = await invoices.created(merchant, { expires_in_s: 300 });
  await h.advance(301);
  await h.drain();
  const [, expired] = await invoices.read(merchant, short.invoice_id);
  expect(expired.data).toMatchObject({ status: 'EXPIRED', to_pay: '0.00' });
  const [status, { error }] = await invoices.cancel(merchant, short.invoice_id);
  expect([status, error.code, error.details]).toEqual([
    409,
    'INVALID_STATUS',
    { status: 'EXPIRED', allowed: ['OPEN', 'PARTIALLY_PAID'] },
  ]);
});

test('an admin of the client sees and cancels it; of another client it does not exist', async () => {
  const { invoice_id } = await invoices.created(merchant);
  const strangers = [await h.user(), await h.user({ role: 'admin' }), await h.user({ client_id })];
  for (const as of strangers) {
    expect(codeOf(await invoices.read(as, invoice_id))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await invoices.cancel(as, invoice_id))).toEqual([404, 'NOT_FOUND']);
  }
  const admin = await h.user({ role: 'admin', client_id });
  expect((await invoices.read(admin, invoice_id))[0]).toBe(200);
  const [, list] = await h.call('GET /payment-gateway/invoices', { as: admin });
  expect(list.data.items.map((one: Body) => one.invoice_id)).toContain(invoice_id);
  expect((await invoices.cancel(admin, invoice_id))[1].data.status).toBe('CANCELLED');
});

test('the list is narrowed by status, reference and time, and shows no row twice', async () => {
  const own = await h.user({ client_id });
  const made: string[] = [];
  for (const n of [1, 2, 3]) {
    const { invoice_id } = await invoices.created(own, { reference: `row-${own.user_id}-${n}` });
    made.unshift(invoice_id);
  }
  const list = async (query: Record<string, string | number>) => {
    const [, { data }] = await h.call('GET /payment-gateway/invoices', { as: own, query });
    return data;
  };
  const first = await list({ limit: 2 });
  const second = await list({ limit: 2, cursor: first.next_cursor });
  const ids = [...first.items, ...second.items].map((one: Body) => one.invoice_id);
  expect([ids, second.next_cursor]).toEqual([made, null]);
  await invoices.cancel(own, made[0] ?? '');
  expect((await list({ status: 'CANCELLED' })).items).toHaveLength(1);
  expect((await list({ reference: `row-${own.user_id}-2` })).items[0].invoice_id).toBe(made[1]);
  expect((await list({ created_from: '2999-01-01' })).items).toEqual([]);
});

test('metadata is changed at any time, by the merchant and admins of the client', async () => {
  const { invoice_id } = await invoices.created(merchant, {
    metadata: { shop: 'lamps', draft: '1' },
  });
  await invoices.cancel(merchant, invoice_id);
  const change = (as: typeof merchant, body: object) =>
    h.call('PATCH /payment-gateway/invoices/{invoice_id}/metadata', {
      as,
      params: { invoice_id },
      body,
    });
  const [status, { data }] = await change(merchant, { metadata: { draft: null, till: '4' } });
  expect([status, data.metadata, data.status]).toEqual([
    200,
    { shop: 'lamps', till: '4' },
    'CANCELLED',
  ]);
  const admin = await h.user({ role: 'admin', client_id });
  expect((await change(admin, { metadata: { seen: 'yes' } }))[0]).toBe(200);
  const old = await change(merchant, { metadata: { till: '5' }, version: 1 });
  expect(codeOf(old)).toEqual([409, 'VERSION_CONFLICT']);
  const other = await change(await h.user(), { metadata: { till: '6' } });
  expect(codeOf(other)).toEqual([404, 'NOT_FOUND']);
});
