import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardUser, houseBalance } from '#test/cards.ts';
import { type Body, type Harness, harness } from '#test/harness.ts';
import { invoicesOf, walletOf } from '#test/invoices.ts';

const h = await harness();
const invoices = invoicesOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
const money = cardUser(h, merchant);
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

const charge = (flat: string, bps: number): ReturnType<Harness['call']> =>
  h.call('PUT /fees', {
    as: admin,
    body: { rows: [{ rail: 'invoice', method: 'wallet', currency: 'USD', flat, bps }] },
  });

test('a payment pays the merchant, who else gets a part, and the fee, in one posting', async () => {
  const courier = await h.user({ client_id });
  const split = [{ wallet_id: await walletOf(h, courier), amount: '3.00', reference: 'courier' }];
  expect((await charge('0.10', 100))[0]).toBe(200);
  const { invoice_id } = await invoices.created(merchant, { split });
  const { person, cards, wallet_id } = await invoices.payer(client_id, '100.00');
  const before = await houseBalance(h, 'invoice-fees', 'USD');
  const [status, { data }] = await invoices.pay(person, invoice_id, wallet_id);
  expect([status, data]).toMatchObject([
    201,
    {
      payment_id: expect.stringMatching(/^ipm_/),
      invoice_id,
      method: 'wallet',
      amount: '20.00',
      fee: '0.30',
      net: '19.70',
      status: 'SUCCEEDED',
    },
  ]);
  expect(await cards.balance()).toEqual([7_700n, 0n]);
  expect(await money.balance()).toEqual([1_670n, 0n]);
  expect(await cardUser(h, courier).balance()).toEqual([300n, 0n]);
  expect((await houseBalance(h, 'invoice-fees', 'USD')) - before).toBe(30n);
  const [, read] = await invoices.read(merchant, invoice_id);
  expect(read.data).toMatchObject({
    status: 'PAID',
    substatus: null,
    to_pay: '0.00',
    paid_amount: '20.00',
    payments: [{ payment_id: data.payment_id, net: '19.70' }],
  });
  const seen = async (as: typeof person) => {
    const query = { rail: 'invoice' };
    const [, list] = await h.call('GET /payments', { as, query });
    return list.data.items[0];
  };
  const shared = { rail: 'invoice', direction: 'internal', amount: '20.00', status: 'SUCCEEDED' };
  expect(await seen(merchant)).toMatchObject({ ...shared, fee: '0.30' });
  expect(await seen(person)).toMatchObject({ ...shared, fee: '0.00' });
});

test('where the customer bears the fee it comes on top', async () => {
  await charge('1.00', 0);
  const { invoice_id } = await invoices.created(merchant, { fee_bearer: 'customer' });
  const { person, wallet_id } = await invoices.payer(client_id, '100.00');
  const [before] = await money.balance();
  const [, { data }] = await invoices.pay(person, invoice_id, wallet_id);
  expect(data).toMatchObject({ amount: '21.00', fee: '1.00', net: '20.00' });
  expect((await money.balance())[0] - before).toBe(2_000n);
  await charge('0', 0);
});

test('twenty payments at once pay once', async () => {
  const { invoice_id } = await invoices.created(merchant);
  const { person, cards, wallet_id } = await invoices.payer(client_id, '900.00');
  const [before] = await cards.balance();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => invoices.pay(person, invoice_id, wallet_id)),
  );
  expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
  const others = answers.filter(([status]) => status !== 201).map(codeOf);
  expect(new Set(others.map(String))).toEqual(new Set(['409,INVALID_STATUS']));
  expect(before - (await cards.balance())[0]).toBe(2_000n);
});

test('a payment and a cancellation at once leave one of the two', async () => {
  for (let n = 0; n < 5; n += 1) {
    const { invoice_id } = await invoices.created(merchant);
    const { person, wallet_id } = await invoices.payer(client_id, '100.00');
    const [[paid], [cancelled]] = await Promise.all([
      invoices.pay(person, invoice_id, wallet_id),
      invoices.cancel(merchant, invoice_id),
    ]);
    const [, { data }] = await invoices.read(merchant, invoice_id);
    expect([paid, cancelled, data.status]).toEqual(
      paid === 201 ? [201, 409, 'PAID'] : [409, 200, 'CANCELLED'],
    );
  }
});

test('the same key pays once, and answers the same', async () => {
  const { invoice_id } = await invoices.created(merchant);
  const { person, cards, wallet_id } = await invoices.payer(client_id, '100.00');
  const key = randomUUID();
  const first = await invoices.pay(person, invoice_id, wallet_id, key);
  const [held] = await cards.balance();
  const second = await invoices.pay(person, invoice_id, wallet_id, key);
  expect(second[1].data).toEqual(first[1].data);
  expect((await cards.balance())[0]).toBe(held);
});

test('an invoice is paid in time, in its currency, by another person of the client with enough', async () => {
  const { invoice_id } = await invoices.created(merchant, { expires_in_s: 300 });
  const { person, wallet_id } = await invoices.payer(client_id, '10.00');
  const own = await walletOf(h, merchant);
  const stranger = await h.user();
  const pay = async (...call: Parameters<typeof invoices.pay>) =>
    codeOf(await invoices.pay(...call));
  expect(await pay(merchant, invoice_id, own)).toEqual([400, 'SAME_WALLET']);
  expect(await pay(person, invoice_id, own)).toEqual([404, 'WALLET_NOT_FOUND']);
  const theirs = await walletOf(h, stranger);
  expect(await pay(stranger, invoice_id, theirs)).toEqual([404, 'NOT_FOUND']);
  const [status, { error }] = await invoices.pay(person, invoice_id, wallet_id);
  expect([status, error.code, error.details]).toEqual([
    400,
    'INSUFFICIENT_BALANCE',
    { available: '9.70', required: '20.00', currency: 'USD' },
  ]);
  const keyless = await h.call('POST /payment-gateway/invoices/{invoice_id}/pay', {
    as: person,
    params: { invoice_id },
    body: { from_wallet_id: wallet_id },
  });
  expect(codeOf(keyless)).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
  const foreign = await invoices.created(merchant, { currency: 'SGD' });
  expect(await pay(person, foreign.invoice_id, wallet_id)).toEqual([400, 'CURRENCY_MISMATCH']);
  await h.advance(301);
  expect(await pay(person, invoice_id, wallet_id)).toEqual([409, 'INVALID_STATUS']);
});

test('a fee that has risen takes nothing of what is promised to others', async () => {
  const courier = await h.user({ client_id });
  const split = [{ wallet_id: await walletOf(h, courier), amount: '19.50', reference: 'courier' }];
  const { invoice_id } = await invoices.created(merchant, { split });
  await charge('2.00', 0);
  const { person, wallet_id } = await invoices.payer(client_id, '100.00');
  const [, { data }] = await invoices.pay(person, invoice_id, wallet_id);
  expect(data).toMatchObject({ amount: '20.00', fee: '0.50', net: '19.50' });
  expect(await cardUser(h, courier).balance()).toEqual([1_950n, 0n]);
  await charge('0', 0);
});

test('a dry run of a payment says what it would post, and pays nothing', async () => {
  const { invoice_id } = await invoices.created(merchant);
  const { person, cards, wallet_id } = await invoices.payer(client_id, '100.00');
  const [, { data }] = await h.call('POST /payment-gateway/invoices/{invoice_id}/pay', {
    as: person,
    params: { invoice_id },
    query: { dry_run: 'true' },
    body: { from_wallet_id: wallet_id },
  });
  expect(data.would).toMatchObject({ status: 201, calls: [] });
  expect(data.would.postings).toHaveLength(2);
  expect(await cards.balance()).toEqual([9_700n, 0n]);
  expect((await invoices.read(merchant, invoice_id))[1].data.status).toBe('OPEN');
});
