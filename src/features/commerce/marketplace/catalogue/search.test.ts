import { beforeEach, describe, expect, test } from 'vitest';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();
const BOTH = ['marketplace_1', 'marketplace_2'];

const search = (body: unknown) => h.call('POST /marketplace/search', { as: 'nobody', body });
async function found(query: string, over: object = {}): Promise<Body> {
  const [status, body] = await search({ query, ...over });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const arm = (provider: string, kind: string, times = 100) =>
  h.sandbox('POST', '/faults', { provider, kind, times, ms: 20_000 });

beforeEach(async () => {
  await h.sandbox('DELETE', '/faults');
  await h.sandbox('DELETE', '/llm/answers');
  // What was found a while ago is asked for again.
  h.clock.advance(700_000);
});

test('goods are found without any credentials, with all that the contract names', async () => {
  const { success, query, products, count, search_queries } = await found('leather wallet');
  expect([success, query, count]).toEqual([true, 'leather wallet', 10]);
  expect(products).toHaveLength(10);
  expect(search_queries[0]).toBe('leather wallet');
  expect(products[0]).toEqual({
    productId: expect.stringMatching(/^\d+$/),
    title: expect.stringMatching(/leather wallet/i),
    description: expect.any(String),
    image: expect.stringMatching(/^https:/),
    images: [expect.any(String), expect.any(String)],
    source: 'marketplace_1',
    url: expect.stringMatching(/^https:/),
    vendor: {
      name: expect.any(String),
      marketplace: 'Etsy',
      shop_name: expect.any(String),
      shop_url: expect.any(String),
      shop_location: expect.any(String),
    },
    pricing: {
      price: expect.any(Number),
      currency: 'USD',
      original_price: products[0].pricing.price,
      shipping: expect.any(Number),
      total: expect.any(Number),
    },
    availability: 'in_stock',
    metadata: {
      rating: expect.any(Number),
      reviews: expect.any(Number),
      tags: expect.any(Array),
      sales: expect.any(Number),
      stock: expect.any(Number),
    },
  });
});

test('rupiah are shown in dollars, by a rate that goes along', async () => {
  const { products } = await found('dompet kulit', { sources: ['marketplace_2'] });
  for (const { pricing, source } of products) {
    expect([source, pricing.currency, pricing.original_currency]).toEqual([
      'marketplace_2',
      'USD',
      'IDR',
    ]);
    expect(Math.abs(pricing.original_price * pricing.fx_rate - pricing.price)).toBeLessThan(0.011);
    expect(pricing.total).toBeCloseTo(pricing.price + pricing.shipping, 5);
  }
});

test('both marketplaces are searched at once and answered as one list without repetitions', async () => {
  const { products, count } = await found('batik', { sources: [...BOTH, ...BOTH], limit: 50 });
  expect(count).toBe(products.length);
  expect(new Set(products.map(({ source }: Body) => source)).size).toBe(2);
  const ids = products.map(({ source, productId }: Body) => `${source} ${productId}`);
  expect(new Set(ids).size).toBe(ids.length);
  const [soldOut] = products.filter(({ availability }: Body) => availability === 'out_of_stock');
  if (soldOut) expect(products.at(-1).availability).toBe('out_of_stock');
});

describe.each([
  ['with a language model', true],
  ['without one', false],
])('%s', (_how, hasModel) => {
  test.each([
    ['lether walet', /leather wallet/i],
    ['runing shoes', /running shoes/i],
    ['guittar', /guitar/i],
  ])('%s is understood', async (query, title) => {
    if (!hasModel) await arm('llm', 'refuse');
    const { products, search_queries } = await found(query);
    expect(products[0].title).toMatch(title);
    expect(search_queries[0]).toBe(query);
    expect(search_queries.length).toBeGreaterThan(1);
    expect(search_queries.length).toBeLessThanOrEqual(4);
  });

  test('the other language finds goods, too', async () => {
    if (!hasModel) await arm('llm', 'error');
    const { products } = await found('leather sandals', { sources: ['marketplace_2'] });
    expect(products[0].title).toMatch(/sandal kulit/i);
  });
});

test('a model that was turned against us adds words to search for, and nothing else', async () => {
  const content = JSON.stringify({
    search_queries: ['<script>', '../../etc/passwd', `${'y'.repeat(100)}`, 'batik\u0000scarf'],
  });
  await h.sandbox('POST', '/llm/answers', { task: 'expand-query', content, times: 1 });
  const { products, search_queries } = await found('batik');
  expect(search_queries.length).toBeLessThanOrEqual(4);
  expect(products.length).toBeGreaterThan(0);
});

describe('where a marketplace is away', () => {
  test.each(['drop', 'error', 'delay'])('(%s) the other one’s goods are found', async (kind) => {
    await arm('marketplace-1', kind);
    const { products } = await found(`batik ${kind === 'drop' ? 'biru' : ''}`, { sources: BOTH });
    expect(products.length).toBeGreaterThan(0);
    expect(new Set(products.map(({ source }: Body) => source))).toEqual(new Set(['marketplace_2']));
  });

  test('and the other one as well, it is the contract’s 500, and not remembered', async () => {
    await arm('marketplace-1', 'drop');
    await arm('marketplace-2', 'error');
    expect(await search({ query: 'mug', sources: BOTH })).toMatchObject([
      500,
      { success: false, error: 'Search failed', details: 'No marketplace answers at the moment' },
    ]);
    await h.sandbox('DELETE', '/faults');
    expect((await found('mug', { sources: BOTH })).count).toBeGreaterThan(0);
  });

  test('goods in rupiah are left out while there is no rate', async () => {
    h.clock.advance(3_600_000);
    await arm('fx', 'error');
    const { products } = await found('tas', { sources: BOTH, limit: 50 });
    expect(products.every(({ source }: Body) => source === 'marketplace_1')).toBe(true);
    expect((await search({ query: 'tas', sources: ['marketplace_2'] }))[0]).toBe(500);
  });
});

test('a repeated search comes from the cache', async () => {
  const one = await found('yoga mat');
  await arm('marketplace-1', 'drop');
  await arm('llm', 'drop');
  expect(await found('yoga mat')).toEqual(one);
});

test.each([
  [{}, 'Search query required'],
  [{ query: '' }, 'Search query required'],
  [{ query: '   ' }, 'Search query required'],
  [{ query: 'x'.repeat(201) }, 'Search query required'],
  [{ query: 7 }, 'Search query required'],
])('%j is refused with the contract’s words', async (body, error) => {
  expect(await search(body)).toMatchObject([400, { success: false, error }]);
});

test('each fault is listed once, in our words', async () => {
  const detailsOf = async (body: object) => (await search(body))[1].details;
  expect(await detailsOf({ query: '' })).toEqual([
    { field: 'query', message: 'must not be blank' },
  ]);
  expect(await detailsOf({ query: 'mug', sources: [] })).toEqual([
    { field: 'sources', message: 'must have at least 1 entry' },
  ]);
  const sources = Array.from({ length: 11 }, () => 'marketplace_1');
  expect(await detailsOf({ query: 'mug', sources })).toEqual([
    { field: 'sources', message: 'must have at most 10 entries' },
  ]);
});

test.each([{ limit: 0 }, { limit: 51 }, { sources: ['ebay'] }, { sources: [] }])(
  'a search with %j is refused',
  async (over) => {
    expect(await search({ query: 'mug', ...over })).toMatchObject([
      400,
      { success: false, code: 'VALIDATION_ERROR' },
    ]);
  },
);

test.each(["'; drop table users; --", '%_%', '\\', '𝕭𝖆𝖙𝖎𝖐 \u202e', '"()*^~'])(
  'odd text (%j) is only text',
  async (query) => {
    expect((await found(query, { sources: BOTH })).query).toBe(query);
  },
);

test('a network with too many new searches gets 429', async () => {
  await found('something new');
  await h.db
    .updateTable('budgets')
    .set({ spent: 1_000_000 })
    .where('subject', 'like', 'marketplace searches by network/15m%')
    .execute();
  const asked = { as: 'nobody', body: { query: 'something newer' } } as const;
  const { status, headers } = await h.send('POST /marketplace/search', asked);
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  // What is known costs nothing.
  expect((await found('something new')).query).toBe('something new');
});
