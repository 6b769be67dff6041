import type { LoggedIn } from './people.ts';
import { mustEqual, type Service } from './service.ts';

const CHAIN = 'neon';

/** A product of a web shop: read off its page, priced, ordered, paid on chain, and confirmed by mail. */
export async function purchase(service: Service, user: LoggedIn): Promise<void> {
  service.part('A purchase in a web shop, paid with USDC');
  const wallet_address = await walletFor(service, user);
  const { body } = await service.sandbox('GET /shop/products');
  const [{ url }] = body as [{ url: string }];

  const request = await service.call('POST /mcp/step1', {
    body: { prompt: `Please buy ${url}` },
    describe: (answer) => answer.text('detected_intent'),
  });
  const read = await service.call('POST /mcp/step2', {
    body: { url: request.text('detected_url') },
    describe: (answer) => `${answer.text('product.title')}, ${answer.text('product.priceText')}`,
  });
  const { product } = read.body as { product: object };
  const priced = await service.call('POST /mcp/step3a', {
    body: { product },
    describe: (answer) => answer.text('pricing.usdc.formatted'),
  });
  const { pricing } = priced.body as { pricing: object };
  const recipient = {
    name: 'Siti Rahma',
    phone: '+6281200001111',
    address: 'Jl. Melati 1, Jakarta',
  };
  const order = await service.call('POST /mcp/create-order', {
    as: user,
    body: { product, pricing, recipient, wallet_address },
    describe: (answer) => answer.text('order_id'),
  });
  const order_id = order.text('order_id');
  // A repeated call goes on with the same order, so a slow chain only takes longer.
  await service.until(
    'POST /mcp/execute-order',
    {
      as: user,
      body: { order_id, confirmation: 'I confirm', wallet_address },
      describe: (answer) => answer.text('transaction.tx_hash_payment'),
    },
    (answer) => answer.text('order.status') === 'COMPLETED',
  );
  mustEqual('the receipt', await service.message(user.email, 'Order'), order_id);
}

async function walletFor(service: Service, user: LoggedIn): Promise<string> {
  const { user_id } = user;
  const made = await service.call('POST /manual/wallets/crypto', {
    as: user,
    body: { user_id, wallet_name: 'Shopping', chain_id: CHAIN },
  });
  const answer = await service.call('POST /manual/wallets/crypto/{bw_id}/address', {
    as: user,
    params: { bw_id: made.number('data.bw_id') },
    body: { chain_id: CHAIN },
    describe: (answer) => `${answer.text('data.wallet_address')} on ${CHAIN}`,
  });
  const address = answer.text('data.wallet_address');
  for (const [asset, amount] of [
    ['native', '1'],
    ['USDC', '50'],
  ])
    await service.sandbox('POST /faucet', { chain: CHAIN, address, asset, amount });
  return address;
}
