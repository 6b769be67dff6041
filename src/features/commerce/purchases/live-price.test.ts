import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { purchases, RECIPIENT } from '#test/purchases.ts';

/** Out of mock mode the page of a product is the only one whose price counts. */
const h = await harness({ config: { MOCK_MODE: 'false' } });
const p = purchases(h);
const shop = `${h.app.sandboxUrl()}/shop`;
const create = (who: Awaited<ReturnType<typeof p.buyer>>, product: object, pricing: object) =>
  h.call('POST /mcp/create-order', {
    as: who.as,
    body: { product, pricing, recipient: RECIPIENT, wallet_address: who.wallet_address },
  });

test('without the seal of its page the page is read again, and the caller’s price is refused', async () => {
  const who = await p.buyer();
  const page = { title: 'Espresso machine', url: `${shop}/p/desk-lamp` };
  const cheap = { ...page, priceText: 'USD 0.01' };
  const [, quoted] = await h.call('POST /mcp/step3a', { body: { product: cheap } });
  expect(await create(who, cheap, quoted.pricing)).toMatchObject([
    400,
    { code: 'PRICE_CHANGED', details: { currency: 'USD', amount: '20.00' } },
  ]);
  const honest = { ...page, priceText: 'USD 20.00' };
  const [, { pricing }] = await h.call('POST /mcp/step3a', { body: { product: honest } });
  const [status, { order_id }] = await create(who, honest, pricing);
  expect(status).toBe(200);
  const row = await p.row(order_id);
  expect(row).toMatchObject({ price_source: 'PAGE', price_units: 2000n });
  expect((row.product as { title: string }).title).not.toBe('Espresso machine');
  expect((await p.execute(who, order_id))[0]).toBe(200);
});

test('a product without a page, or whose page says no price, cannot be ordered', async () => {
  const who = await p.buyer();
  const { pricing } = await p.priced();
  const product = { title: 'Lamp', priceText: '$20.00' };
  for (const url of [
    undefined,
    `${shop}/hostile/injected-price`,
    `${shop}/hostile/gone`,
    `${shop}/hostile/picture`,
  ])
    expect(await create(who, { ...product, url }, pricing)).toMatchObject([
      400,
      { code: 'PRODUCT_NOT_READ', hint: expect.stringContaining('/mcp/step2') },
    ]);
  for (const url of ['http://169.254.169.254/', 'file:///etc/passwd'])
    expect(await create(who, { ...product, url }, pricing)).toMatchObject([
      400,
      { error: 'Invalid URL' },
    ]);
});

test('a chain that is chosen makes the first version’s order one of the second', async () => {
  const who = await p.buyer({ chain: 'sepolia' });
  const [, { product }] = await h.call('POST /mcp/step2', { body: { url: `${shop}/p/desk-lamp` } });
  const [, { pricing }] = await h.call('POST /mcp/step3a', { body: { product } });
  const body = { product, pricing, recipient: RECIPIENT, wallet_address: who.wallet_address };
  const order = (selected_chain: unknown) =>
    h.call('POST /mcp/create-order', { as: who.as, body: { ...body, selected_chain } });
  expect(await order('sepolia')).toMatchObject([
    200,
    {
      step: 'create-order-v2',
      version: 'v2',
      next_step: 'execute-order',
      chain_info: { selected_chain: 'sepolia' },
      wallet: { validated: true },
      order_details: { product: { title: product.title } },
    },
  ]);
  for (const wrong of ['fuji', 5])
    expect(await order(wrong)).toMatchObject([
      400,
      {
        error: 'Chain selection required for V2 flow',
        available_chains: ['sepolia', 'amoy', 'neon'],
      },
    ]);
  const first = await p.buyer();
  const v1 = { ...body, wallet_address: first.wallet_address, selected_chain: null };
  expect(await h.call('POST /mcp/create-order', { as: first.as, body: v1 })).toMatchObject([
    200,
    { step: 'create-order' },
  ]);
});
