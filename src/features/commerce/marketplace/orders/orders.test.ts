import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { freshAddress } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { RECIPIENT, shopper } from '#test/marketplace.ts';
import { walletOn } from '#test/wallets.ts';

const h = await harness();

const chain = h.app.evm.chains.sepolia;
const owner = await h.user();
const colleague = await h.user({ client_id: owner.client_id });
const admin = await h.user({ role: 'admin', client_id: owner.client_id });
const stranger = await h.user();
const foreignAdmin = await h.user({ role: 'admin' });
const operator = await h.operator();
const shop = shopper(h, owner);
const wallet_address = freshAddress();
const MISSING = 'Missing required fields: product, recipient, wallet_address';

const [batik] = await shop.search('batik scarf');
const [tas] = await shop.search('tas kulit', { sources: ['marketplace_2'] });
const read = (as: object, order_id: string) =>
  h.call('GET /marketplace/orders/{order_id}', { as: as as typeof owner, params: { order_id } });

test('an order of a product in dollars has the price of its marketplace and no rate', async () => {
  const [status, { success, order, payment_details }] = await shop.order({
    product: batik,
    wallet_address,
  });
  expect(status).toBe(200);
  expect(success).toBe(true);
  const { price, shipping, total } = batik.pricing;
  expect(order).toEqual({
    order_id: expect.stringMatching(/^MKT-\d{13}-[a-z0-9]{8}$/),
    user_id: owner.user_id,
    product_data: {
      id: batik.productId,
      title: batik.title,
      description: batik.description,
      image: batik.image,
      url: batik.url,
      source: 'marketplace_1',
    },
    vendor_data: {
      name: batik.vendor.name,
      marketplace: 'Etsy',
      shop_name: batik.vendor.shop_name,
      shop_url: batik.vendor.shop_url,
    },
    pricing_data: {
      original_price: price,
      original_currency: 'USD',
      usd_amount: price,
      usdc_amount: order.token_amount,
      shipping,
      total_usd: total,
      fx_rate: null,
      fx_timestamp: null,
    },
    recipient_data: RECIPIENT,
    payment_token: 'USDC',
    token_amount: `${total.toFixed(2)}0000`,
    fiat_amount: total,
    fiat_currency: 'USD',
    chain_id: 'sepolia',
    wallet_address,
    contract_address: chain.contracts.marketplace,
    payment_status: 'PENDING',
    blockchain_tx_hash: null,
    created_at: expect.any(String),
    paid_at: null,
    completed_at: null,
  });
  expect(payment_details).toMatchObject({
    order_id: order.order_id,
    usdc_amount: order.token_amount,
    contract_address: order.contract_address,
    chain_id: 'sepolia',
    wallet_address,
  });
});

test('an order of a product in rupiah records the rate it was converted by, and when', async () => {
  const [status, { order }] = await shop.order({ product: tas, wallet_address, chain_id: 'amoy' });
  expect(status).toBe(200);
  const { pricing_data, chain_id, token_amount, contract_address } = order;
  const { original_price, original_currency, usd_amount, fx_rate, fx_timestamp } = pricing_data;
  expect([original_price, original_currency]).toEqual([tas.pricing.original_price, 'IDR']);
  expect(Math.abs(original_price * fx_rate - usd_amount)).toBeLessThan(0.011);
  expect(fx_timestamp).toMatch(/^20.*Z$/);
  expect(Number(token_amount)).toBe(pricing_data.total_usd);
  expect([chain_id, contract_address]).toEqual([
    'amoy',
    h.app.evm.chains.amoy.contracts.marketplace,
  ]);
});

test.each([
  ['product', { wallet_address }],
  ['wallet_address', { product: batik }],
  ['recipient', { product: batik, wallet_address, recipient: undefined }],
  ['a product that is anything', { product: null, wallet_address }],
  ['a wallet_address that says anything', { product: batik, wallet_address: ' ' }],
])('without %s the answer names what is required', async (_field, body) => {
  expect(await shop.order(body)).toMatchObject([
    400,
    { success: false, error: MISSING, code: 'MISSING_FIELDS' },
  ]);
});

test.each([
  ['no address', { wallet_address: '0x12' }, 'INVALID_WALLET_FORMAT'],
  ['a chain that is not there', { chain_id: 'mainnet' }, 'VALIDATION_ERROR'],
  ['a product without an id', { product: { title: 'x' } }, 'VALIDATION_ERROR'],
  ['a recipient without an address', { recipient: { name: 'A' } }, 'VALIDATION_ERROR'],
  ['a source that is not there', { product: { ...batik, source: 'x' } }, 'VALIDATION_ERROR'],
])('%s is refused', async (_what, over, code) => {
  expect(await shop.order({ product: batik, wallet_address, ...over })).toMatchObject([
    400,
    { success: false, code },
  ]);
});

test.each([
  ['its price', { price: 0.01 }],
  ['its original price', { original_price: '1' }],
  ['the sum', { total: 1 }],
  ['the shipping', { shipping: batik.pricing.shipping + 1 }],
  ['a price that is none', { price: '0.000001' }],
])('a caller who changes %s is refused, and nothing is ordered', async (_what, said) => {
  const product = { ...batik, pricing: { ...batik.pricing, ...said } };
  expect(await shop.order({ product, wallet_address })).toMatchObject([
    409,
    { success: false, code: 'PRICE_CHANGED' },
  ]);
});

test('a price in dollars that came from rupiah may be as old as rates move, and no further', async () => {
  const at = (share: number) => ({
    ...tas,
    pricing: { ...tas.pricing, price: Math.round(tas.pricing.price * share * 100) / 100 },
  });
  expect((await shop.order({ product: at(1.01), wallet_address }))[0]).toBe(200);
  expect((await shop.order({ product: at(0.9), wallet_address }))[0]).toBe(409);
});

test('what the shop asks by now counts, and what is sold out is not sold', async () => {
  const [, , other] = await shop.search('batik shirt');
  const change = (body: object) =>
    h.sandbox('POST', `/marketplace-1/products/${other.productId}`, body);
  await change({ price: 9999 });
  expect((await shop.order({ product: other, wallet_address }))[0]).toBe(409);
  const bare = { productId: other.productId, source: 'marketplace_1' };
  const [, { order }] = await shop.order({ product: bare, wallet_address });
  expect(order.pricing_data.usd_amount).toBe(99.99);
  await change({ stock: 0 });
  expect(await shop.order({ product: bare, wallet_address })).toMatchObject([
    409,
    { code: 'CONFLICT' },
  ]);
});

test('in mock mode an unknown product is ordered at the caller’s price', async () => {
  const product = {
    productId: 'handmade-1',
    title: 'Lamp',
    source: 'marketplace_2',
    pricing: { price: 150_000, currency: 'IDR' },
  };
  const [status, { order }] = await shop.order({ product, wallet_address });
  expect(status).toBe(200);
  expect(order.pricing_data).toMatchObject({ original_price: 150_000, original_currency: 'IDR' });
  expect(
    await shop.order({ product: { productId: 'x', title: 'y' }, wallet_address }),
  ).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
});

test('a repetition with the same Idempotency-Key orders once', async () => {
  const headers = { 'idempotency-key': 'order-once' };
  const body = { product: batik, wallet_address };
  const both = [await shop.order(body, { headers }), await shop.order(body, { headers })];
  expect(both[0]?.[1].order.order_id).toBe(both[1]?.[1].order.order_id);
});

test('an order with another user’s managed wallet is refused', async () => {
  const [mine] = await walletOn(h, colleague, 'sepolia');
  const body = { product: batik, wallet_address: mine?.wallet_address };
  expect(await shop.order(body)).toMatchObject([404, { code: 'WALLET_NOT_FOUND' }]);
  expect((await shopper(h, colleague).order(body))[0]).toBe(200);
});

test('an order is read by its owner and the client’s admins, and refused to everybody else', async () => {
  const { order_id } = await shop.ordered(wallet_address);
  for (const as of [owner, admin, operator])
    expect(await read(as, order_id)).toMatchObject([200, { success: true, order: { order_id } }]);
  for (const as of [colleague, stranger, foreignAdmin])
    expect(await read(as, order_id)).toMatchObject([
      403,
      { success: false, error: 'Access denied' },
    ]);
  expect(await read(owner, 'MKT-1-x')).toMatchObject([404, { error: 'Order not found' }]);
});

test('the list has one’s own orders, newest first, in pages, by status, with the number of all', async () => {
  const lister = shopper(h, await h.user());
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.unshift((await lister.ordered(wallet_address)).order_id);
  const page = async (query: Record<string, string | number>) => {
    const [status, body] = await lister.list(query);
    expect(status).toBe(200);
    return {
      ids: body.orders.map((row: { order_id: string }) => row.order_id),
      ...body.pagination,
    };
  };
  const rest = { total: 7, offset: 0 };
  expect(await page({})).toEqual({ ids, limit: 10, has_more: false, ...rest });
  expect(await page({ limit: 3, offset: 2 })).toEqual({
    ids: ids.slice(2, 5),
    limit: 3,
    has_more: true,
    total: 7,
    offset: 2,
  });
  expect(await page({ limit: 3, offset: 6 })).toMatchObject({ ids: ids.slice(6), has_more: false });
  expect(await page({ offset: 100 })).toMatchObject({ ids: [], has_more: false });
  await h.db
    .updateTable('marketplace_orders')
    .set({ payment_status: 'CANCELLED' })
    .where('order_id', 'in', [ids[1] ?? '', ids[4] ?? ''])
    .execute();
  const cancelled = { status: 'CANCELLED', limit: 1 };
  expect(await page(cancelled)).toMatchObject({ ids: [ids[1]], total: 2, has_more: true });
  expect(await page({ ...cancelled, offset: 1 })).toMatchObject({ ids: [ids[4]], has_more: false });
  expect(await page({ status: 'PENDING' })).toMatchObject({ total: 5 });
  expect(await page({ status: 'PAID' })).toMatchObject({ total: 0, ids: [] });
});

test.each([{ limit: 0 }, { limit: 101 }, { offset: -1 }, { status: 'LOST' }])(
  'a list asked for by %j is refused',
  async (query) => {
    const [status, body] = await shop.list(query as Record<string, string | number>);
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
  },
);

test('a hundred unpaid orders are enough', async () => {
  const hoarder = shopper(h, await h.user());
  const { order_id } = await hoarder.ordered(wallet_address);
  await run(h.db, `update list_counts set n = 100 where owner = $1 and facet = '{PENDING}'`, [
    hoarder.as.user_id,
  ]);
  expect(await hoarder.order({ product: batik, wallet_address })).toMatchObject([
    400,
    { code: 'LIMIT_EXCEEDED' },
  ]);
  expect((await hoarder.read(order_id)).order_id).toBe(order_id);
});
