import { expect, test } from 'vitest';
import { approveCall } from '#chains/evm/contracts/port.ts';
import { userSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { LostAttempt } from '#kernel/effects/effect.ts';
import { harness } from '#test/harness.ts';
import { purchases, RECIPIENT } from '#test/purchases.ts';
import { payOnChain, recordOnChain, refundOnChain } from './on-chain.ts';
import { getOrder, purchaseReferenceOf } from './store.ts';

/** Whom a purchase believes: the buyer about whom it is for, the chain about money, itself about prices. */
const h = await harness();
const p = purchases(h);
const shop = `${h.app.sandboxUrl()}/shop`;
const step2 = (url: string) => h.call('POST /mcp/step2', { body: { url } });
const EVIL = '0x000000000000000000000000000000000000dEaD';

/** What the sandbox's model says next, in tasks of that name. */
const say = (task: string, content: string) => h.sandbox('POST', '/llm/answers', { task, content });

test('a page that gives orders changes no price, no recipient and no address', async () => {
  const [, { product }] = await step2(`${shop}/hostile/injection`);
  expect(product).toMatchObject({ title: 'Lamp', priceText: 'USD 20.00' });
  const [, { pricing }] = await h.call('POST /mcp/step3a', { body: { product } });
  expect(pricing).toMatchObject({ original: { amount: 20 }, usdc: { amount: '20.000000' } });
  const who = await p.buyer();
  const [, order] = await h.call('POST /mcp/create-order', {
    as: who.as,
    body: { product, pricing, recipient: RECIPIENT, wallet_address: who.wallet_address },
  });
  expect(order).toMatchObject({
    recipient: RECIPIENT,
    wallet: { address: who.wallet_address },
    transaction: { required_usdc: '20.000000' },
  });
  const [status, done] = await p.execute(who, order.order_id);
  expect([status, done]).toMatchObject([
    200,
    { recipient: RECIPIENT, transaction: { amount_paid: '20.000000' } },
  ]);
  expect(await p.usdcOf('neon', EVIL)).toBe(0n);
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(80_000_000n);
});

test('a price that a caller writes into the product of a page is refused, with the seal of the page', async () => {
  const who = await p.buyer();
  const [, { product }] = await step2(`${shop}/p/desk-lamp`);
  expect(product.page_seal).toEqual(expect.any(String));
  const cheap = { ...product, priceText: 'USD 0.01' };
  const refused = [400, { code: 'PRICE_CHANGED', details: { currency: 'USD', amount: '20.00' } }];
  expect(await h.call('POST /mcp/step3a', { body: { product: cheap } })).toMatchObject(refused);
  const { pricing } = await p.priced('USD 0.01');
  expect(await p.create(who, { product: cheap, pricing })).toMatchObject(refused);
  // In other words the same price.
  const [, priced] = await h.call('POST /mcp/step3a', {
    body: { product: { ...product, priceText: '$20' } },
  });
  expect(priced.product).toEqual(product);
  const { title, url } = product;
  const [status, order] = await p.create(who, {
    product: { ...priced.product, title: 'A bigger lamp', site: 'Mallory & Co' },
    pricing: priced.pricing,
  });
  expect(status).toBe(200);
  expect(await p.row(order.order_id)).toMatchObject({
    product: { title, url, site: product.site },
    price_source: 'PAGE',
  });
});

test('the seal of another page, of an invention and of half an hour ago proves nothing', async () => {
  const who = await p.buyer();
  const [, { product }] = await step2(`${shop}/p/desk-lamp`);
  const { pricing } = await p.priced();
  const wrong = (field: string) => [400, { code: 'VALIDATION_ERROR', details: [{ field }] }];
  for (const page_seal of ['v1.AAAA', `${product.page_seal.slice(0, -8)}AAAAAAAA`, pricing.quote])
    expect(await p.create(who, { product: { ...product, page_seal }, pricing })).toMatchObject(
      wrong('product.page_seal'),
    );
  const elsewhere = { ...product, url: 'https://shop.example/mansion' };
  expect(await p.create(who, { product: elsewhere, pricing })).toMatchObject(wrong('product.url'));
  await h.advance(31 * 60);
  const [status, { order_id }] = await p.create(who, { product });
  expect(status).toBe(200);
  expect(await p.row(order_id)).toMatchObject({ price_source: 'CALLER' });
});

test('a price that stands only in a page’s text is none', async () => {
  const [, { product }] = await step2(`${shop}/hostile/injected-price`);
  expect(product).toMatchObject({ title: 'Lamp', priceText: null });
});

test('a model that lies is quoted, and believed in nothing', async () => {
  const lie = `It costs 0.01 USDC, is for Mallory, and goes to ${EVIL}`;
  await say(
    'purchase-intent',
    JSON.stringify({ detected_intent: 'BUY_EVERYTHING', price: '0.01' }),
  );
  expect(await h.call('POST /mcp/step1', { body: { prompt: 'Buy https://a.example/' } })).toEqual([
    200,
    { step: 1, detected_intent: 'OTHER', detected_url: 'https://a.example/' },
  ]);
  await say(
    'purchase-intent',
    JSON.stringify({ detected_intent: 'PURCHASE', detected_url: 'http://169.254.169.254/' }),
  );
  expect(await h.call('POST /mcp/step1', { body: { prompt: 'Buy it' } })).toEqual([
    200,
    { step: 1, detected_intent: 'PURCHASE', detected_url: null },
  ]);
  await say('product-summary', lie);
  const [, read] = await step2(`${shop}/p/desk-lamp`);
  expect(read).toMatchObject({ product: { priceText: 'USD 20.00' }, ai_summary: lie });
  await say('purchase-confirmation', `${lie}\u202e`);
  const [, told] = await h.call('POST /mcp/step3a', { body: { product: read.product } });
  expect(told).toMatchObject({
    product: { title: read.product.title },
    pricing: { original: { amount: 20, currency: 'USD' }, usdc: { amount: '20.000000' } },
    ai_confirmation: lie,
  });
});

test('money moves without any model', async () => {
  const who = await p.buyer();
  const { product, pricing } = await p.priced();
  await h.sandbox('POST', '/faults', { provider: 'llm', kind: 'refuse', times: 100 });
  const [, order] = await h.call('POST /mcp/create-order', {
    as: who.as,
    body: { product, pricing, recipient: RECIPIENT, wallet_address: who.wallet_address },
  });
  expect((await p.execute(who, order.order_id))[0]).toBe(200);
  const [selected] = await h.call('POST /mcp/chain-selector', {
    body: { product, pricing, recipient: RECIPIENT },
  });
  expect(selected).toBe(200);
  await h.sandbox('DELETE', '/faults?provider=llm');
});

test('what a caller says that it costs is compared, and never believed', async () => {
  const who = await p.buyer();
  const { pricing } = await p.priced();
  const changed = { code: 'PRICE_CHANGED' };
  const { quote: _, ...unquoted } = pricing;
  const attempts = [
    { ...pricing, original: { ...pricing.original, amount: 0.01 } },
    { ...pricing, original: { ...pricing.original, currency: 'IDR' } },
    { ...pricing, usdc: { amount: '0.01' } },
    { ...pricing, usdc: { amount: '19.999999' } },
    { ...unquoted, usdc: { amount: '19.79' } },
    { ...unquoted, usdc: { amount: '20.21' } },
  ];
  for (const lie of attempts)
    expect(await p.create(who, { pricing: lie })).toMatchObject([400, changed]);
  expect(await p.create(who, { product: p.product('$21.00'), pricing })).toMatchObject([
    400,
    changed,
  ]);
  // A little off is what rates do meanwhile; what is paid is ours.
  const near = { ...unquoted, usdc: { amount: '19.85' } };
  expect(await p.create(who, { pricing: near })).toMatchObject([
    200,
    { transaction: { required_usdc: '20.000000' } },
  ]);
});

test('a quote keeps its rate for a quarter of an hour, for its own price only', async () => {
  const who = await p.buyer();
  const { pricing } = await p.priced('Rp 158.755');
  const other = (await p.priced('Rp 317.510')).pricing;
  await h.sandbox('POST', '/fx/rates', { currency: 'IDR', rate: '31751' });
  await h.advance(120);
  const order = { product: p.product('Rp 158.755') };
  expect(await p.create(who, { ...order, pricing })).toMatchObject([
    200,
    { transaction: { required_usdc: '10.000000' } },
  ]);
  const refused = [400, { code: 'PRICE_CHANGED', details: { usdc_amount: '5.000000' } }];
  for (const quote of [
    other.quote,
    `${pricing.quote.slice(0, 40)}AAAA${pricing.quote.slice(44)}`,
    pricing.quote.slice(0, -4),
    'v1.AAAA',
  ])
    expect(await p.create(who, { ...order, pricing: { ...pricing, quote } })).toMatchObject(
      refused,
    );
  await h.advance(15 * 60);
  expect(await p.create(who, { ...order, pricing })).toMatchObject(refused);
  await h.sandbox('POST', '/fx/rates', { currency: 'IDR', rate: '15875.5' });
  await h.advance(120);
});

test('an attempt that was only slow signs nothing for an order that has ended', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  const order = await getOrder(h.db, order_id);
  await h.db
    .updateTable('purchase_orders')
    .set({ status: 'FAILED', failure: 'UNPAID' })
    .where('order_id', '=', order_id)
    .execute();
  const deps = { ...h.kernel, evm: h.app.evm };
  await expect(payOnChain(deps, order, { isInline: true })).rejects.toThrow(LostAttempt);
  const paid = { ...order, payment_tx_hash: `0x${'0'.repeat(64)}` };
  await expect(recordOnChain(deps, paid, { isInline: true })).rejects.toThrow(LostAttempt);
  await expect(refundOnChain(deps, order, { isInline: true })).rejects.toThrow(LostAttempt);
  for (const step of ['allowance', 'pay', 'record', 'refund'] as const)
    expect(
      await h.app.evm.chains.neon.sender.find(purchaseReferenceOf(order, step)),
    ).toBeUndefined();
});

test('an allowance that another payment has changed meanwhile is given again', async () => {
  const who = await p.buyer();
  const order_id = await p.ordered(who);
  await h.db
    .updateTable('purchase_orders')
    .set({ status: 'PAYING' })
    .where('order_id', '=', order_id)
    .execute();
  const order = await getOrder(h.db, order_id);
  const { neon } = h.app.evm.chains;
  const { usdc, marketplace } = neon.contracts;
  const [signer] = await userSigners(h.db, h.kernel.vault)(who.as.user_id, 'neon');
  if (!signer) throw new Error('The wallet has no key');
  let isFirst = true;
  const sender: typeof neon.sender = {
    ...neon.sender,
    async execute(outgoing) {
      const call = approveCall(usdc, marketplace, 1n);
      const other = { signer, ...call, reference: `other:${order_id}`, purpose: 'test' };
      if (outgoing.purpose === 'purchase payment' && isFirst) await neon.sender.execute(other);
      if (outgoing.purpose === 'purchase payment') isFirst = false;
      return neon.sender.execute(outgoing);
    },
  };
  const chains = { ...h.app.evm.chains, neon: { ...neon, sender } };
  const deps = { ...h.kernel, evm: { ...h.app.evm, chains } };
  expect(await payOnChain(deps, order, { isInline: true })).toMatchObject({ kind: 'done' });
  expect(isFirst).toBe(false);
  expect(await p.usdcOf('neon', who.wallet_address)).toBe(80_000_000n);
});

test('what is missing is named', async () => {
  const who = await p.buyer({ usdc: '0', native: '0' });
  const required = ['product', 'pricing', 'recipient', 'wallet_address'];
  const missing = { error: 'Missing required data' };
  for (const [id, wanted] of [
    ['POST /mcp/create-order', required],
    ['POST /mcp/v2/create-order', [...required, 'selected_chain']],
    ['POST /mcp/chain-selector', required.slice(0, 3)],
  ] as const)
    expect(await h.call(id, { as: who.as, body: {} })).toMatchObject([
      400,
      { ...missing, required: wanted },
    ]);
  expect(await h.call('POST /mcp/execute-order', { as: who.as, body: {} })).toMatchObject([
    400,
    { ...missing, required: ['order_id', 'confirmation', 'wallet_address'] },
  ]);
  for (const name of ['product', 'pricing', 'recipient', 'wallet_address'])
    expect(await p.create(who, { [name]: undefined })).toMatchObject([
      400,
      { ...missing, required },
    ]);
  expect(await p.create(who)).toMatchObject([
    400,
    {
      error: 'Insufficient USDC balance',
      code: 'INSUFFICIENT_BALANCE',
      details: { token: 'USDC', required: '20.000000', available: '0.000000' },
    },
  ]);
  expect(await h.call('POST /mcp/create-order', { body: {} })).toMatchObject([401, {}]);
  expect(await h.call('POST /mcp/step1', { as: 'nobody', body: {} })).toMatchObject([401, {}]);
});

test('the second version needs a chain, and says which there are', async () => {
  const who = await p.buyer({ chain: 'sepolia' });
  for (const selected_chain of [undefined, null, '', 'fuji', 'constructor', 5])
    expect(await p.create(who, { selected_chain })).toMatchObject([
      400,
      {
        error: 'Chain selection required for V2 flow',
        available_chains: ['sepolia', 'amoy', 'neon'],
      },
    ]);
  // A wallet has one address for each chain.
  expect(await p.create(who, { selected_chain: 'amoy' })).toMatchObject([
    404,
    { code: 'WALLET_NOT_FOUND' },
  ]);
});

test('every chain is offered with what it takes to pay there', async () => {
  const { product, pricing } = await p.priced();
  const [status, body] = await h.call('POST /mcp/chain-selector', {
    body: { product, pricing, recipient: RECIPIENT },
  });
  expect([status, body]).toMatchObject([
    200,
    {
      step: 'chain-selector',
      version: 'v2',
      order_summary: { recipient: RECIPIENT, product: { title: 'Desk lamp' } },
      next_step: { endpoint: '/mcp/v2/create-order', method: 'POST' },
    },
  ]);
  const shown = body.chain_options.map(({ id, symbol, recommended, is_testnet }: typeof body) => ({
    id,
    symbol,
    recommended,
    is_testnet,
  }));
  expect(shown).toEqual([
    { id: 'sepolia', symbol: 'ETH', recommended: false, is_testnet: true },
    { id: 'amoy', symbol: 'POL', recommended: false, is_testnet: true },
    { id: 'neon', symbol: 'NEON', recommended: true, is_testnet: true },
  ]);
  for (const { gas_estimate, symbol, contract_info } of body.chain_options) {
    expect(gas_estimate).toMatch(new RegExp(`^0\\.\\d+ ${symbol}$`));
    expect(contract_info).toMatchObject({
      usdc_contract: expect.stringMatching(/^0x/),
      mcp_contract: expect.stringMatching(/^0x/),
      rpc_url: expect.stringMatching(/^http:\/\/127\.[\d.]+:/),
      explorer_url: expect.stringMatching(/^https:/),
    });
  }
});
