import { format, money } from '#kernel/money/money.ts';
import { textOf } from './answer.ts';
import { type Of, personOf, type Scene, step } from './play.ts';

const RECIPIENT = { name: 'Siti Rahma', phone: '+6281200001111', address: 'Jl. Melati 1, Jakarta' };

/** A product of any web shop, paid on chain; by either version of the flow. */
export async function playPurchase(scene: Scene, flow: Of<'purchase'>): Promise<void> {
  const { user, version, chain, cents } = flow;
  const wallet_address = personOf(scene.people, user).addresses[chain];
  const amount = format({ asset: 'USD', units: BigInt(cents) });
  const isFirst = version === 'v1';
  const made = await scene.ask(
    step(scene, flow, 'order', {
      path: isFirst ? '/mcp/create-order' : '/mcp/v2/create-order',
      body: {
        product: { title: 'Lamp', priceText: `$${amount}`, url: scene.lamp(cents) },
        pricing: { original: { amount, currency: 'USD' }, usdc: { amount } },
        recipient: RECIPIENT,
        wallet_address,
        ...(!isFirst && { selected_chain: chain }),
      },
      effect: { kind: 'nothing' },
    }),
  );
  const { units } = money('USDC', amount);
  await scene.ask(
    step(scene, flow, 'execute', {
      path: isFirst ? '/mcp/execute-order' : '/mcp/v2/execute-order',
      body: { order_id: textOf(made, 'order_id'), confirmation: 'I confirm', wallet_address },
      effect: { kind: 'purchase', user, chain, units },
    }),
  );
}

/** Goods of the marketplaces; the follower of the chain finds their payments. */
export async function playOrder(scene: Scene, flow: Of<'order'>): Promise<void> {
  const { user, chain, shop } = flow;
  const wallet_address = personOf(scene.people, user).addresses[chain];
  const made = await scene.ask(
    step(scene, flow, 'order', {
      path: '/marketplace/orders',
      body: { product: scene.goods[shop], recipient: RECIPIENT, wallet_address, chain_id: chain },
      effect: { kind: 'nothing' },
    }),
  );
  const order_id = textOf(made, 'order.order_id');
  const { units } = money('USDC', textOf(made, 'order.token_amount'));
  await scene.ask(
    step(scene, flow, 'pay', {
      path: `/marketplace/orders/${order_id}/pay`,
      body: {},
      effect: { kind: 'order', user, chain, units, order_id },
    }),
  );
}
