import { expect, test } from 'vitest';
import { shopPages } from '#providers/shop/adapter.ts';
import { harness } from '#test/harness.ts';
import { readProduct } from './read-product.ts';

const h = await harness();
const sandbox = h.app.sandboxUrl();
const step1 = (body: unknown) => h.call('POST /mcp/step1', { body });
const step2 = (url: unknown) => h.call('POST /mcp/step2', { body: { url } });
const step3a = (body: unknown) => h.call('POST /mcp/step3a', { body });
const fault = (provider: string, kind: string, times: number, ms = 0) =>
  h.sandbox('POST', '/faults', { provider, kind, times, ms });

test('a wish is understood in English and Indonesian, and its address is found', async () => {
  expect(await step1({ prompt: 'Please buy https://shop.example/lamp?x=1.' })).toEqual([
    200,
    { step: 1, detected_intent: 'PURCHASE', detected_url: 'https://shop.example/lamp?x=1' },
  ]);
  expect(await step1({ prompt: 'Tolong belikan (http://toko.example/kopi)' })).toEqual([
    200,
    { step: 1, detected_intent: 'PURCHASE', detected_url: 'http://toko.example/kopi' },
  ]);
  expect(await step1({ prompt: 'Good morning' })).toEqual([
    200,
    { step: 1, detected_intent: 'OTHER', detected_url: null },
  ]);
});

test.each([{}, { prompt: '' }, { prompt: '  ' }, { prompt: 7 }, { prompt: null }])(
  'without a prompt there is nothing to understand: %j',
  async (body) => {
    expect(await step1(body)).toMatchObject([400, { error: 'Prompt is required.' }]);
  },
);

test('every product of the sandbox’s shop is read off its page, and costs what the shop says', async () => {
  const products = await h.sandbox('GET', '/shop/products');
  expect(products.length).toBeGreaterThan(9);
  for (const { url, title, price, currency } of products) {
    const [status, read] = await step2(url);
    expect([status, read]).toMatchObject([
      200,
      { step: 2, product: { title, url, image: `${url}.png` }, ai_summary: expect.any(String) },
    ]);
    expect(read.ai_summary.length).toBeGreaterThan(10);
    const [priced, told] = await step3a({ product: read.product });
    expect([priced, told.pricing?.original]).toMatchObject([
      200,
      { amount: Number(price), currency },
    ]);
  }
});

test('step 3a tells the price in USDC at the rate of now, with a quote', async () => {
  const product = { title: 'Kopi', priceText: 'Rp 158.755' };
  const [status, body] = await step3a({ product });
  expect([status, body]).toEqual([
    200,
    {
      step: '3a',
      product: {
        ...product,
        description: null,
        image: null,
        site: null,
        url: null,
        page_seal: null,
      },
      pricing: {
        original: { amount: 158755, currency: 'IDR', formatted: 'IDR 158,755.00' },
        usdc: { amount: '10.000000', formatted: 'USDC 10.000000' },
        conversion_rate: expect.stringMatching(/^0\.0000629/),
        route: 'IDR → USDC',
        quote: expect.stringMatching(/^v\d/),
        quote_expires_at: expect.any(String),
      },
      ai_confirmation: expect.stringContaining('Kopi'),
      ready_for_recipient_data: true,
    },
  ]);
});

test.each(['VND 500,000', '₫12,500', 'Rp 250,000', 'IDR 15,000', 'VND 500.000', 'INR 1,23,456.50'])(
  'what step 3a shows for %s is a price that it reads as the same one',
  async (priceText) => {
    const [status, { pricing }] = await step3a({ product: { title: 'Kopi', priceText } });
    expect(status).toBe(200);
    const again = { title: 'Kopi', priceText: pricing.original.formatted };
    const [, other] = await step3a({ product: again });
    expect(other.pricing.original).toEqual(pricing.original);
  },
);

test.each([
  {},
  { product: null },
  { product: 'lamp' },
  { product: {} },
  { product: { title: 'Lamp' } },
  { product: { priceText: '$5' } },
  { product: { title: '', priceText: '$5' } },
  { product: { title: 'Lamp', priceText: null } },
])('step 3a names what it needs: %j', async (body) => {
  expect(await step3a(body)).toMatchObject([
    400,
    { error: expect.any(String), required: ['product.title', 'product.priceText'] },
  ]);
});

test.each(['$1.234', '5', 'from $5', '$5 - $9', 'CAD 5', '$0'])(
  'a price that cannot be read for certain is refused: %s',
  async (priceText) => {
    expect(await step3a({ product: { title: 'Lamp', priceText } })).toMatchObject([
      400,
      { code: 'PRICE_UNREADABLE' },
    ]);
  },
);

/** Every spelling under which something that is not public can be named. */
const PRIVATE = [
  ...['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://0/'],
  ...['http://0177.0.0.1/', 'http://127.0.0.1:5432/', 'http://localhost/', 'http://LOCALHOST./'],
  ...['http://a.localhost/', 'http://[::1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/'],
  ...['http://[::ffff:7f00:1]/', 'http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/'],
  ...['http://10.0.0.1/', 'http://10.1/', 'http://172.16.0.1/', 'http://172.31.255.255/'],
  ...['http://192.168.1.1/', 'http://169.254.169.254/latest/meta-data/', 'http://100.64.0.1/'],
  ...['http://192.0.2.1/', 'http://198.18.0.1/', 'http://224.0.0.1/', 'http://255.255.255.255/'],
  ...['http://[fe80::1]/', 'http://[fc00::1]/', 'http://[fd00:ec2::254]/', 'http://[ff02::1]/'],
  ...['http://①②⑦.0.0.1/', 'http://127。0。0。1/', 'http://%31%32%37.0.0.1/'],
];
test.each(PRIVATE)('what is not public is not fetched: %s', async (url) => {
  expect(await step2(url)).toMatchObject([400, { error: 'Invalid URL' }]);
});

test.each([
  ...['', ' ', 'shop', 'shop.example/lamp', '//shop.example', 'https://', 'http://[::1', 7, null],
  ...['ftp://shop.example/', 'file:///etc/passwd', 'data:text/html,<title>x', 'javascript:1'],
  ...['https://user:secret@shop.example/', 'https://shop.example:22/', 'gopher://shop.example'],
  `https://shop.example/${'x'.repeat(3000)}`,
])('what is no address of a shop is refused: %s', async (url) => {
  expect(await step2(url)).toMatchObject([400, { error: 'Invalid URL' }]);
});

test('of this machine nothing is fetched but the sandbox’s shop', async () => {
  const { port } = new URL(sandbox);
  for (const path of ['/messages', '/chains', '/shop', '/shop/../messages', '/shop%2f..%2fchains'])
    expect(await step2(`${sandbox}${path}`), path).toMatchObject([400, { error: 'Invalid URL' }]);
  for (const host of ['127.0.0.1', '[::1]', '0', 'localhost.'])
    expect(await step2(`http://${host}:${port}/shop/p/desk-lamp`)).toMatchObject([
      400,
      { error: 'Invalid URL' },
    ]);
  expect((await step2(`${h.app.apiUrl()}/health`))[0]).toBe(400);
});

test.each(['metadata', 'private', 'loopback', 'file', 'user'])(
  'a redirect to what is not public is not followed: %s',
  async (place) => {
    expect(await step2(`${sandbox}/shop/hostile/redirect-${place}`)).toMatchObject([
      400,
      { error: 'Invalid URL' },
    ]);
  },
);

test('at most five redirects are followed', async () => {
  const { product } = (await step2(`${sandbox}/shop/redirect/5/desk-lamp`))[1];
  expect(product).toMatchObject({
    priceText: 'USD 20.00',
    url: `${sandbox}/shop/p/desk-lamp`,
  });
  for (const path of ['redirect/6/desk-lamp', 'hostile/redirect-loop'])
    expect(await step2(`${sandbox}/shop/${path}`)).toMatchObject([
      500,
      { code: 'PAGE_UNREADABLE', details: expect.stringContaining('TOO_MANY_REDIRECTS') },
    ]);
});

test.each([
  ...['huge', 'bomb', 'deep', 'scripts', 'large-script', 'picture', 'gone', 'failing', 'empty'],
  'redirect-nowhere',
])('a page that no shop would make is not read: %s', async (kind) => {
  expect(await step2(`${sandbox}/shop/hostile/${kind}`)).toMatchObject([
    500,
    {
      error: 'The product page could not be read',
      code: 'PAGE_UNREADABLE',
      details: expect.any(String),
    },
  ]);
});

test.each(['drop', 'error', 'refuse'])('a shop that fails is said to have: %s', async (kind) => {
  await fault('shop', kind, 1);
  const url = `${sandbox}/shop/p/desk-lamp`;
  expect(await step2(url)).toMatchObject([500, { code: 'PAGE_UNREADABLE' }]);
  expect((await step2(url))[0]).toBe(200);
});

test('a page that drips is given up in time', async () => {
  const allowed = () => [`${sandbox}/shop/`];
  const pages = shopPages({ plainHttp: true, allowed, totalMs: 300 });
  await expect(readProduct(pages, `${sandbox}/shop/hostile/slow`)).rejects.toMatchObject({
    code: 'PAGE_UNREADABLE',
    details: expect.stringContaining('TIMEOUT'),
  });
  await pages.close();
});

test.each(['no-price', 'bad-json', 'range', 'cut-off'])(
  'a page that names no single price has none: %s',
  async (kind) => {
    const [status, { product }] = await step2(`${sandbox}/shop/broken/${kind}`);
    expect([status, product]).toMatchObject([200, { title: 'Vase', priceText: null }]);
    expect(await step3a({ product })).toMatchObject([
      400,
      { required: ['product.title', 'product.priceText'] },
    ]);
  },
);

test.each(['no-currency', 'ambiguous'])(
  'a price that a page leaves open is shown and not converted: %s',
  async (kind) => {
    const [, { product }] = await step2(`${sandbox}/shop/broken/${kind}`);
    expect(product.priceText).toEqual(expect.any(String));
    expect(await step3a({ product })).toMatchObject([400, { code: 'PRICE_UNREADABLE' }]);
  },
);

test('without its model each step says that it is away, and works again with it', async () => {
  const product = { title: 'Lamp', priceText: '$5' };
  await fault('llm', 'error', 20);
  expect(await step1({ prompt: 'Buy it' })).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }]);
  const away = [503, { error: 'The language model did not answer', code: 'PROVIDER_UNAVAILABLE' }];
  expect(await step2(`${sandbox}/shop/p/desk-lamp`)).toMatchObject(away);
  expect(await step3a({ product })).toMatchObject(away);
  await h.sandbox('DELETE', '/faults?provider=llm');
  expect((await step3a({ product }))[0]).toBe(200);
});

test('without rates there is no price', async () => {
  await h.advance(3600);
  await fault('fx', 'error', 20);
  expect(await step3a({ product: { title: 'Lamp', priceText: '$5' } })).toMatchObject([
    503,
    { error: 'No recent exchange rates are available', code: 'PROVIDER_UNAVAILABLE' },
  ]);
  await h.sandbox('DELETE', '/faults?provider=fx');
});
