import type { LoggedIn } from './people.ts';
import type { Service } from './service.ts';

/** Goods are found by talking and by misspelt words, ordered, and paid from a managed wallet. */
export async function marketplace(service: Service, user: LoggedIn): Promise<void> {
  service.part('The marketplace: found, ordered and paid with USDC');
  await service.call('POST /marketplace/chat', {
    body: { message: 'saya cari syal batik' },
    describe: (answer) => `${answer.text('intent')}: ${answer.text('reply')}`,
  });
  const found = await service.call('POST /marketplace/search', {
    body: { query: 'batik scraf', sources: ['marketplace_1', 'marketplace_2'] },
    describe: (answer) =>
      `${answer.number('count')} found by ${answer.list('search_queries').join(', ')}`,
  });
  const [product] = found.list('products');
  const wallet_address = await walletWith(service, user);
  const ordered = await service.call('POST /marketplace/orders', {
    as: user,
    body: {
      product,
      recipient: { name: 'Siti Rahma', address: 'Jl. Melati 5, Bandung', phone: '+628123456789' },
      wallet_address,
    },
    describe: (answer) =>
      `${answer.text('order.token_amount')} USDC, to be seen at ${answer.text('payment_details.payment_url')}`,
  });
  const params = { order_id: ordered.text('order.order_id') };
  await service.call('POST /marketplace/orders/{order_id}/pay', {
    as: user,
    params,
    describe: (answer) => answer.text('transaction.tx_hash'),
  });
  // The chain's own event makes it PAID. A node that is slow to answer leaves it PENDING until the next poll.
  await service.until(
    'GET /marketplace/orders/{order_id}',
    { as: user, params, describe: (answer) => answer.text('order.payment_status') },
    (answer) => answer.text('order.payment_status') === 'PAID',
  );
}

async function walletWith(service: Service, user: LoggedIn): Promise<string> {
  const { user_id } = user;
  const made = await service.call('POST /manual/wallets/crypto', {
    as: user,
    body: { user_id, wallet_name: 'Shopping', chain_id: 'sepolia' },
  });
  const answer = await service.call('POST /manual/wallets/crypto/{bw_id}/address', {
    as: user,
    params: { bw_id: made.number('data.bw_id') },
    body: { chain_id: 'sepolia' },
  });
  const address = answer.text('data.wallet_address');
  const give = (asset: string, amount: string) =>
    service.sandbox('POST /faucet', { chain: 'sepolia', address, asset, amount });
  await give('native', '1');
  await give('USDC', '200');
  return address;
}
