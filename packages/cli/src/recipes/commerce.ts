import type { MarketplaceFulfilParams } from '../../../sdk/src/types.generated.ts';
import type { Recipe } from './recipe.ts';
import type { Chain, Stage } from './stage.ts';

const HOME = { name: 'Siti Rahma', address: 'Jl. Melati 5, Bandung', phone: '+628123456789' };

async function shopper(stage: Stage, chain: Chain, usdc: string) {
  const person = await stage.person();
  const { address } = await stage.chainWallet(person, chain, usdc);
  return { ...person, address };
}

async function ordered(stage: Stage) {
  const { archipay, address } = await shopper(stage, 'sepolia', '200');
  const found = await archipay.marketplace.search({
    query: 'batik scarf',
    sources: ['marketplace_1', 'marketplace_2'],
  });
  const [product] = found.products;
  const { order } = await archipay.marketplace.order({
    product: product as object,
    recipient: HOME,
    wallet_address: address,
  });
  return { archipay, order_id: order.order_id };
}

type Fulfilment = Omit<MarketplaceFulfilParams, 'order_id'>;

async function fulfilled(stage: Stage, end: Fulfilment): Promise<void> {
  const { archipay, order_id } = await ordered(stage);
  await archipay.marketplace.pay({ order_id });
  await stage.until('the chain', async () => {
    const { order } = await archipay.marketplace.getOrder({ order_id });
    return order.payment_status === 'PAID';
  });
  await (await stage.operator()).marketplace.fulfil({ order_id, ...end });
}

async function wished(stage: Stage) {
  const { archipay, address: wallet_address } = await shopper(stage, 'neon', '50');
  const [{ url } = { url: '' }] = await stage.sandbox.call<{ url: string }[]>(
    'GET',
    '/shop/products',
  );
  const { product } = await archipay.purchases.readPage({ url });
  const { pricing } = await archipay.purchases.quote({ product: product as never });
  const { order_id } = await archipay.purchases.order({
    product: product as never,
    pricing: pricing as never,
    recipient: HOME,
    wallet_address,
  });
  return { archipay, order_id, wallet_address };
}

export const COMMERCE: readonly Recipe[] = [
  {
    types: ['marketplace_order.created', 'marketplace_order.paid', 'marketplace_order.completed'],
    how: 'A user orders at the marketplace and pays on chain; the operator buys the goods.',
    run: (stage) => fulfilled(stage, { status: 'COMPLETED', vendor_reference: 'A-1' }),
  },
  {
    types: ['marketplace_order.failed'],
    how: 'A user orders at the marketplace and pays on chain; the goods are sold out.',
    run: (stage) => fulfilled(stage, { status: 'FAILED', reason: 'Sold out' }),
  },
  {
    types: ['marketplace_order.cancelled'],
    how: 'A user orders at the marketplace, and does not pay in time.',
    movesClock: true,
    async run(stage) {
      await ordered(stage);
      await stage.clock(2 * 86_400);
    },
  },
  {
    types: ['purchase.created', 'purchase.confirmed', 'purchase.paid', 'purchase.completed'],
    how: 'A user orders from a web shop and pays on chain.',
    async run(stage) {
      const { archipay, order_id, wallet_address } = await wished(stage);
      await stage.until('the shop', async () => {
        const asked = { order_id, confirmation: 'I confirm', wallet_address };
        const { order } = await archipay.purchases.execute(asked);
        return order.status === 'COMPLETED';
      });
    },
  },
  {
    types: ['purchase.expired'],
    how: 'A user orders from a web shop, and does not confirm in time.',
    movesClock: true,
    async run(stage) {
      await wished(stage);
      await stage.clock(86_400);
    },
  },
];
