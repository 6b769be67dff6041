import { setTimeout as pause } from 'node:timers/promises';
import { Archipay } from '@archipay/sdk';
import { fileStore } from '@archipay/sdk/node';

const apiKey = process.env.ARCHIPAY_API_KEY ?? `ak_demo_${'0'.repeat(64)}`;
const SANDBOX = 'http://localhost:3001';
const CHAIN = 'sepolia';
const [wish = 'batik scarf', budget = '60'] = process.argv.slice(2);

const store = await fileStore('calls.jsonl');
const application = new Archipay({ apiKey, exactlyOnce: store });
const { data: login } = await application.auth.logIn({
  usernameoremail: 'user@demo.example',
  password: 'User-demo-1',
});
const archipay = application.as(login.token);
// What a run that ended in the middle has left open.
await archipay.recover();

/** The agent's own address, with coins for fees and the budget in USDC; made at the first start. */
async function address() {
  const { user_id } = login.user;
  const wallet_name = 'Shopping agent';
  const { data } = await archipay.cryptoWallets.list({ user_id });
  const known = data.wallets.find((wallet) => wallet.wallet_name === wallet_name);
  if (known) return known.addresses[0].wallet_address;
  const { data: wallet } = await archipay.cryptoWallets.create({
    user_id,
    wallet_name,
    chain_id: CHAIN,
  });
  const { data: made } = await archipay.cryptoWallets.addAddress({
    bw_id: wallet.bw_id,
    chain_id: CHAIN,
  });
  for (const [asset, amount] of Object.entries({ native: '1', USDC: budget }))
    await fetch(`${SANDBOX}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain: CHAIN, address: made.wallet_address, asset, amount }),
    });
  return made.wallet_address;
}

const wallet_address = await address();
const { products } = await archipay.marketplace.search({
  query: wish,
  sources: ['marketplace_1', 'marketplace_2'],
});
const [cheapest] = products
  .filter(({ availability }) => availability === 'in_stock')
  .sort((a, b) => a.pricing.total - b.pricing.total);
if (!cheapest) throw new Error('There is no such thing');

// The same wish is the same order, also of a later start.
const { order } = await archipay.marketplace.order(
  {
    product: cheapest,
    recipient: { name: 'Siti Rahma', address: 'Jl. Melati 5, Bandung', phone: '+628123456789' },
    wallet_address,
  },
  { idempotencyKey: `order: ${wish}` },
);
const { order_id } = order;
// The price of the order counts, not that of the search.
if (Number(order.token_amount) > Number(budget)) throw new Error('It costs more than the budget');
await archipay.marketplace.pay({ order_id }, { idempotencyKey: `pay: ${order_id}` });
let paid = await archipay.marketplace.getOrder({ order_id });
while (paid.order.payment_status !== 'PAID') {
  await pause(500);
  paid = await archipay.marketplace.getOrder({ order_id });
}
console.log(order_id, order.product_data.title, paid.order.payment_status);
await store.end();
