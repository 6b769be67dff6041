import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkoutOf } from '#test/checkout.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf, keepPicture, rupiahOf } from '#test/invoices.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
const SHOP = { display_name: 'Lamp & Co', color: '#0b3d6e', support_email: 'help@example.com' };
const settings = (more: object = {}) =>
  h.call('PUT /payment-gateway/settings', { as: admin, body: { ...SHOP, ...more } });
const read = async (invoice_id: string) => (await invoices.read(merchant, invoice_id))[1].data;
const asked = async (more: object = {}) => {
  const invoice = await invoices.rupiah(merchant, more);
  return { invoice, page: checkoutOf(h, invoice) };
};
const lastTry = async (invoice_id: string): Promise<Body> =>
  (await read(invoice_id)).payments.at(-1);

test('an invoice names its page, whose key has 144 bits and stays the same', async () => {
  const { invoice } = await asked();
  expect(invoice.checkout_url).toMatch(
    new RegExp(`/api/payment-gateway/checkout/${invoice.invoice_id}\\?key=[0-9a-f]{36}$`),
  );
  expect((await read(invoice.invoice_id)).checkout_url).toBe(invoice.checkout_url);
  await h.kernel.events.settle();
  const [, { data }] = await h.call('GET /events', {
    as: admin,
    query: { type: 'invoice.created' },
  });
  expect(data.events.length).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toContain('checkout_url');
});

test('a wrong key, another one’s key and an unknown invoice are the same 404', async () => {
  const [{ page, invoice }, other] = [await asked(), await asked()];
  const [, key] = /key=(\w+)/.exec(other.invoice.checkout_url) ?? [];
  const texts = new Set<string>();
  for (const query of [{ key: '0'.repeat(36) }, { key: key ?? '' }, { key: '' }]) {
    const reply = await page.page(query);
    expect(reply.status).toBe(404);
    texts.add(await reply.text());
    for (const below of ['/state', '/events', '/logo'])
      expect((await fetch(page.at(below, query))).status).toBe(404);
  }
  const unknown = invoice.checkout_url.replace(/inv_\w+/, `inv_${'0'.repeat(26)}`);
  texts.add(await (await fetch(unknown)).text());
  expect(texts.size).toBe(1);
  expect([...texts][0]).toContain('nothing to pay here');
  const posted = await fetch(page.at('/payments', { key: '0'.repeat(36) }), {
    method: 'POST',
    body: new URLSearchParams({ method: 'va' }),
  });
  expect(posted.status).toBe(404);
  expect((await read(invoice.invoice_id)).payments).toEqual([]);
});

test('a look makes nothing; a press begins a payment, which is paid at the gateway', async () => {
  const { invoice, page } = await asked();
  expect(await page.text()).toContain('How do you want to pay?');
  expect((await read(invoice.invoice_id)).payments).toEqual([]);
  const before = await rupiahOf(h, merchant);
  const pressed = await page.pay('qris');
  expect([pressed.status, pressed.headers.get('location')]).toEqual([
    303,
    new URL(invoice.checkout_url).pathname + new URL(invoice.checkout_url).search,
  ]);
  const { payment_id, action } = await lastTry(invoice.invoice_id);
  expect(await page.text()).toContain(`href="${action.url.replaceAll('/', '/')}"`);
  expect((await page.pay('qris')).status).toBe(303);
  expect((await read(invoice.invoice_id)).payments).toHaveLength(1);
  await gateway.pay(payment_id);
  expect(await page.text()).toContain('Payment received');
  expect(await page.state()).toMatchObject({ status: 'PAID', ways: [], tries: [] });
  expect((await rupiahOf(h, merchant)) - before).toBe(5_000_000n);
  expect((await page.pay('va')).status).toBe(303);
  expect((await read(invoice.invoice_id)).payments).toHaveLength(1);
});

test('a virtual account is a number for each bank, to be copied', async () => {
  const { invoice, page } = await asked();
  await page.pay('va');
  const { action } = await lastTry(invoice.invoice_id);
  expect(action).toMatchObject({ type: 'virtual_account', url: expect.stringContaining('/web/') });
  expect(action.accounts.map(({ bank_code }: Body) => bank_code)).toContain('MANDIRI');
  const text = await page.text();
  for (const { account_number, account_name } of action.accounts) {
    expect(text).toContain(`>${account_number}</code>`);
    expect(text).toContain(account_name);
  }
  expect(text).toContain('data-copy="account-bca"');
  expect((await page.state()).tries[0].action.accounts).toEqual(action.accounts);
  // A code to scan is on the page of the gateway.
  await page.pay('qris');
  const qris = (await page.state()).tries.find(({ method }: Body) => method === 'qris');
  expect(qris.action).toMatchObject({ type: 'redirect', accounts: [] });
});

test('its payer calls a payment off, and pays in another way', async () => {
  const { invoice, page } = await asked();
  await page.pay('va');
  const { payment_id } = await lastTry(invoice.invoice_id);
  const stranger = await asked();
  const refused = await stranger.page.cancel({ payment_id });
  expect(refused.status).toBe(404);
  expect((await page.cancel({ payment_id })).status).toBe(303);
  expect((await lastTry(invoice.invoice_id)).status).toBe('CANCELLED');
  expect(await page.state()).toMatchObject({ status: 'OPEN', tries: [] });
  await page.pay('ewallet');
  expect((await page.state()).tries).toMatchObject([{ method: 'ewallet', amount: '50000.00' }]);
});

test('the page hears of a payment as it comes', async () => {
  const { invoice, page } = await asked();
  await page.pay('qris');
  const { payment_id } = await lastTry(invoice.invoice_id);
  const { mark } = await page.state();
  expect(await page.firstEvent(() => gateway.pay(payment_id))).toContain('event: state\ndata: {}');
  expect((await page.state()).mark).not.toBe(mark);
});

test('an invoice that is over shows it, with a way on', async () => {
  const gone = await asked({ expires_in_s: 300, recovery_url: 'https://shop.example.com/again' });
  const called = await asked({ return_url: 'https://shop.example.com/back' });
  await invoices.cancel(merchant, called.invoice.invoice_id);
  expect(await called.page.text()).toContain('This payment was cancelled');
  expect(await called.page.text()).toContain('https://shop.example.com/back?invoice_id=');
  await h.advance(301);
  expect(await gone.page.state()).toMatchObject({ status: 'EXPIRED', ways: [] });
  const text = await gone.page.text();
  expect(text).toContain('The time to pay is over');
  expect(text).toContain('href="https://shop.example.com/again"');
  await gone.page.pay('va');
  expect((await read(gone.invoice.invoice_id)).payments).toEqual([]);
});

test('the return address says what has become of it, signed with the secret of the client', async () => {
  const return_url = 'https://shop.example.com/back?order=7&status=forged&sig=forged';
  const { invoice, page } = await asked({ return_url });
  const unsigned = new URL((await page.state()).return_url);
  expect([...unsigned.searchParams.keys()]).toEqual(['order', 'status', 'invoice_id', 'ts']);
  const [, { data }] = await h.call('POST /payment-gateway/settings/return-secret', { as: admin });
  const { searchParams } = new URL((await page.state()).return_url);
  const { order, sig, ...signed } = Object.fromEntries(searchParams);
  expect([order, signed['invoice_id'], signed['status']]).toEqual([
    '7',
    invoice.invoice_id,
    'OPEN',
  ]);
  const text = [signed['invoice_id'], signed['status'], signed['ts']].join('.');
  expect(sig).toBe(createHmac('sha256', data.secret).update(text).digest('hex'));
});

test('the page is the client’s: its name, colour, picture, languages, and who may frame it', async () => {
  const { page } = await asked();
  expect((await page.page()).headers.get('x-frame-options')).not.toBeNull();
  const logo_file_id = await keepPicture(h, admin);
  await settings({ logo_file_id, embed_origins: ['https://shop.example.com'] });
  const reply = await page.page({}, { 'accept-language': 'id-ID,en;q=0.5' });
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toContain('frame-ancestors https://shop.example.com;');
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).toContain("default-src 'none'");
  expect(reply.headers.get('x-frame-options')).toBeNull();
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
  const text = await reply.text();
  expect(text).toContain('<html lang="id">');
  expect(text).toContain('Lamp &#38; Co');
  expect(text).toContain('--accent: #0b3d6e');
  expect(text).toContain('Bagaimana Anda ingin membayar?');
  expect(await page.text({ lang: 'en' }, { 'accept-language': 'id' })).toContain('How do you want');
  const picture = await fetch(page.at('/logo'));
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('hostile text of a merchant is text', async () => {
  const hostile = `</p><script>alert(1)</script>" onload='x' \u202eevil`;
  await settings({ display_name: `"><img src=x onerror=alert(1)>` });
  const { page } = await asked({
    description: hostile,
    items: [{ name: '<svg onload=alert(1)>', quantity: 1, unit_amount: '50000' }],
    return_url: 'https://shop.example.com/a%22%3E%3Cscript%3E?x=%27',
  });
  const text = await page.text();
  expect(text).not.toMatch(/<script>|<img src=x|<svg|" onload/);
  await settings();
  for (const return_url of [
    'javascript:alert(1)',
    'https://a.example/"><script>',
    'http://a.example',
  ])
    expect((await invoices.create(merchant, { return_url }))[0]).toBe(400);
});

test('amounts are the server’s: what a payer sends beside the way to pay counts for nothing', async () => {
  const { invoice, page } = await asked();
  await page.press('/payments', { method: 'va', amount: '1', currency: 'USD', fee: '0' });
  expect(await lastTry(invoice.invoice_id)).toMatchObject({ amount: '50000.00', currency: 'IDR' });
  expect((await page.press('/payments', { method: 'card' })).status).toBe(400);
  expect((await page.press('/payments', { method: 'qris&method=va' })).status).toBe(400);
});

test('a way to pay that is switched off is refused on the page, and named', async () => {
  const { invoice, page } = await asked({ methods: ['qris', 'va'] });
  expect((await page.state()).ways.map(({ method }: Body) => method)).toEqual(['qris', 'va']);
  await settings({ methods: [{ method: 'va', enabled: false }] });
  const refused = await page.pay('va');
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('This way to pay is not offered any more'),
  ]);
  expect((await page.pay('ewallet')).status).toBe(400);
  expect((await read(invoice.invoice_id)).payments).toEqual([]);
  await settings();
});

test('payments that are begun on pages have a budget for each network', async () => {
  const pages = await Promise.all(Array.from({ length: 22 }, () => asked()));
  const statuses: number[] = [];
  for (const { page } of pages)
    for (const method of ['qris', 'va', 'ewallet']) statuses.push((await page.pay(method)).status);
  expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(60);
  expect(statuses.at(-1)).toBe(429);
});
