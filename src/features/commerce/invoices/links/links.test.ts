import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkoutOf } from '#test/checkout.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf, rupiahOf } from '#test/invoices.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
const LINK = { title: 'Lamp workshop', currency: 'IDR', amount: '50000', usage: 'many' };
const make = (body: object = {}): Promise<[number, Body]> =>
  h.call('POST /payment-gateway/links', { as: merchant, body: { ...LINK, ...body } });
const made = async (body: object = {}): Promise<Body> => {
  const [status, answer] = await make(body);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data;
};
const read = async (link_id: string): Promise<Body> => {
  const params = { link_id };
  return (await h.call('GET /payment-gateway/links/{link_id}', { as: merchant, params }))[1].data;
};
const change = (link_id: string, body: object): Promise<[number, Body]> =>
  h.call('PATCH /payment-gateway/links/{link_id}', { as: merchant, params: { link_id }, body });
const press = (url: string, fields: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ press: randomUUID(), ...fields }),
  });
/** The invoice to whose page a press has led. */
const invoiceAt = async (reply: Response): Promise<Body> => {
  const [, id = ''] = /checkout\/(inv_\w+)\?key=/.exec(reply.headers.get('location') ?? '') ?? [];
  return (await invoices.read(merchant, id))[1].data;
};
const pay = async (reply: Response): Promise<Body> => {
  const invoice = await invoiceAt(reply);
  await checkoutOf(h, invoice).pay('qris');
  const [payment] = (await invoices.read(merchant, invoice.invoice_id))[1].data.payments;
  await gateway.pay(payment.payment_id);
  return invoice;
};

test('a look makes nothing; the button makes an invoice, which is paid into the wallet of the link', async () => {
  const link = await made({ return_url: 'https://shop.example.com/back', reference: 'workshop' });
  expect(link).toMatchObject({
    link_id: expect.stringMatching(/^lnk_/),
    amount: '50000.00',
    min: null,
    max_payments: null,
    open: 0,
    paid: 0,
    status: 'ACTIVE',
    reference: 'workshop',
    url: expect.stringMatching(/\/api\/payment-gateway\/pay\/[0-9a-f]{36}$/),
  });
  const page = await fetch(link.url, { headers: { 'accept-language': 'id' } });
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('Lanjutkan ke pembayaran'),
  ]);
  expect(await read(link.link_id)).toEqual(link);
  const before = await rupiahOf(h, merchant);
  const pressed = await press(link.url);
  expect(pressed.status).toBe(303);
  expect((await read(link.link_id)).open).toBe(1);
  expect(await pay(pressed)).toMatchObject({
    amount: '50000.00',
    description: 'Lamp workshop',
    link_id: link.link_id,
    wallet_id: link.wallet_id,
    return_url: 'https://shop.example.com/back',
  });
  expect((await rupiahOf(h, merchant)) - before).toBe(5_000_000n);
  expect(await read(link.link_id)).toMatchObject({ open: 0, paid: 1, status: 'ACTIVE' });
});

test('of fifty presses at once no more come through than the link takes', async () => {
  const { url, link_id } = await made({ max_payments: 7 });
  const replies = await Promise.all(Array.from({ length: 50 }, () => press(url)));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(7);
  expect(statuses.filter((status) => status === 409)).toHaveLength(43);
  expect(await read(link_id)).toMatchObject({ open: 7, paid: 0, max_payments: 7 });
  expect(await (await fetch(url)).text()).toContain('Somebody is paying now');
  const ids = await Promise.all(
    replies
      .filter(({ status }) => status === 303)
      .map(async (one) => (await invoiceAt(one)).invoice_id),
  );
  expect(new Set(ids).size).toBe(7);
  await invoices.cancel(merchant, ids[0] ?? '');
  expect((await read(link_id)).open).toBe(6);
  expect((await press(url)).status).toBe(303);
  expect((await press(url)).status).toBe(409);
});

test('a link is exhausted by its last payment, and takes no more', async () => {
  const { url, link_id } = await made({ max_payments: 2 });
  await pay(await press(url));
  expect((await read(link_id)).status).toBe('ACTIVE');
  await pay(await press(url));
  expect(await read(link_id)).toMatchObject({ status: 'EXHAUSTED', paid: 2, open: 0 });
  expect((await press(url)).status).toBe(409);
  expect(await (await fetch(url)).text()).toContain('Everything is paid');
  const [status, { error }] = await change(link_id, { status: 'ACTIVE' });
  expect([status, error.code, error.details]).toEqual([
    409,
    'INVALID_STATUS',
    { status: 'EXHAUSTED', allowed: ['ACTIVE', 'PAUSED'] },
  ]);
});

test('the same press twice makes one invoice, also at once', async () => {
  const { url, link_id } = await made();
  const fields = { press: randomUUID() };
  const replies = await Promise.all(Array.from({ length: 8 }, () => press(url, fields)));
  expect(new Set(replies.map(({ headers }) => headers.get('location'))).size).toBe(1);
  expect((await read(link_id)).open).toBe(1);
});

test('a link for one payment leads back to the invoice that is open', async () => {
  const { url, link_id } = await made({ usage: 'once' });
  const [first, second] = [await press(url), await press(url)];
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  await pay(second);
  expect(await read(link_id)).toMatchObject({ status: 'EXHAUSTED', max_payments: 1, paid: 1 });
});

test('an invoice that is not paid gives its place back', async () => {
  const { url, link_id } = await made({ max_payments: 1 });
  await press(url);
  expect((await press(url)).status).toBe(409);
  await h.advance(3601);
  await h.drain();
  expect((await read(link_id)).open).toBe(0);
  expect((await press(url)).status).toBe(303);
});

test('a free amount is the payer’s within its bounds; a fixed one is the link’s', async () => {
  const { url } = await made({ amount: undefined, min: '10000', max: '90000' });
  for (const amount of ['9999', '90000.01', '-20000', '2e4', 'twenty', ''])
    expect([amount, (await press(url, { amount })).status]).toEqual([amount, 400]);
  expect(await (await press(url, { amount: '<b>' })).text()).toContain('value="&#60;b&#62;"');
  expect((await invoiceAt(await press(url, { amount: '25000' }))).amount).toBe('25000.00');
  const fixed = await made();
  expect((await invoiceAt(await press(fixed.url, { amount: '1' }))).amount).toBe('50000.00');
});

test('a link is paused, opened again, changed with its version, and expires', async () => {
  const { url, link_id } = await made();
  expect((await change(link_id, { status: 'PAUSED', version: 9 }))[1].error.code).toBe(
    'VERSION_CONFLICT',
  );
  expect((await change(link_id, { status: 'PAUSED', version: 1 }))[1].data.status).toBe('PAUSED');
  expect((await press(url)).status).toBe(409);
  expect(await (await fetch(url)).text()).toContain('Payments are paused');
  const expires_at = new Date(h.clock.ms() + 600_000).toISOString();
  const [, { data }] = await change(link_id, { status: 'ACTIVE', title: 'Workshop 2', expires_at });
  expect(data).toMatchObject({ status: 'ACTIVE', title: 'Workshop 2', expires_at });
  const invoice = await invoiceAt(await press(url));
  expect(Date.parse(invoice.expires_at)).toBeLessThanOrEqual(Date.parse(expires_at));
  await h.advance(601);
  expect(await (await fetch(url)).text()).toContain('The time to pay is over');
  expect((await press(url)).status).toBe(409);
  expect((await change(link_id, { title: 'Late' }))[0]).toBe(409);
  await h.drain();
  expect((await read(link_id)).status).toBe('EXPIRED');
});

describe('a link is refused by name where', () => {
  test.each([
    ['amount', { amount: undefined }],
    ['amount', { min: '1', max: '2' }],
    ['amount', { amount: undefined, min: '1' }],
    ['max', { amount: undefined, min: '2', max: '1' }],
    ['max_payments', { usage: 'once', max_payments: 2 }],
    ['max_payments', { max_payments: 0 }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['return_url', { return_url: 'http://shop.example.com' }],
    ['methods', { methods: [] }],
    ['usage', { usage: 'twice' }],
    ['title', { title: 'x'.repeat(101) }],
  ])('%s is wrong: %j', async (field, body) => {
    const [status, { error }] = await make(body);
    expect([status, error.code, error.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });
});

test('links are their merchant’s, and admins see those of their client', async () => {
  const { link_id, url } = await made();
  const [stranger, other] = [await h.user(), await h.user({ role: 'admin' })];
  const params = { link_id };
  for (const as of [stranger, other]) {
    expect((await h.call('GET /payment-gateway/links/{link_id}', { as, params }))[0]).toBe(404);
    const body = { status: 'PAUSED' };
    expect((await h.call('PATCH /payment-gateway/links/{link_id}', { as, params, body }))[0]).toBe(
      404,
    );
    expect((await h.call('GET /payment-gateway/links', { as }))[1].data.items).toEqual([]);
  }
  const [, { data }] = await h.call('GET /payment-gateway/links', {
    as: admin,
    query: { limit: 1 },
  });
  expect(data.items).toMatchObject([{ link_id, url }]);
  expect(data.next_cursor).not.toBeNull();
  expect((await fetch(url.replace(/\w{36}$/, '0'.repeat(36)))).status).toBe(404);
  const [row] = await h.db
    .selectFrom('payment_links')
    .selectAll()
    .orderBy('serial', 'desc')
    .execute();
  for (const value of Object.values(row ?? {})) expect(String(value)).not.toContain(url.slice(-36));
});

test('presses have a budget for each network', async () => {
  const { url } = await made();
  const statuses: number[] = [];
  for (let n = 0; n < 110 && statuses.at(-1) !== 429; n++) {
    if (n % 90 === 89) await h.advance(61);
    statuses.push((await press(url)).status);
  }
  expect(statuses.at(-1)).toBe(429);
});
