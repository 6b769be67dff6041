import { afterAll, expect, test } from 'vitest';
import { type ChainKey, isChainKey, readBalances } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { setAssets } from '#kernel/money/money.ts';
import { freshAddress, mover, usdcOf } from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { CONTRACT_CHAINS, setChains } from './chains.ts';

/** All that an operator does for one more EVM chain, whose coin nobody knew. */
const FUJI = `
  insert into ledger.assets (asset, scale) values ('AVAX', 18);
  insert into chains (chain_id, family, evm_chain_id, name, network, coin, explorer_url)
  values ('fuji', 'evm', 43113, 'Avalanche', 'Avalanche Fuji', 'AVAX', 'https://testnet.snowtrace.io');
`;
const h = await harness({ sql: FUJI });
// Other files in this process have databases without it.
afterAll(() => {
  setChains(CONTRACT_CHAINS);
  setAssets([]);
});
const fuji = 'fuji' as ChainKey;
const chain = h.app.evm.chains[fuji];
const person = await h.user();
const [wallet] = await walletOn(h, person, fuji);
const from = wallet?.wallet_address ?? '';
const read = async (path: string): Promise<Body> =>
  (await fetch(new URL(path, h.app.apiUrl()))).json();

test('a chain that is a row runs on a node with its own number', async () => {
  expect(isChainKey('fuji')).toBe(true);
  expect(await (await chain.client()).getChainId()).toBe(43_113);
  expect(chain.info).toMatchObject({ name: 'Avalanche', native: 'AVAX' });
});

test('its coin is sent from a managed wallet and shown like any other', async () => {
  await fund(h, fuji, from, 'native', '5');
  await h.sandbox('POST', '/fx/rates', { currency: 'AVAX', rate: '0.04' });
  const to = freshAddress();
  const [status, body] = await h.call('POST /onchain/execute', {
    as: person,
    body: {
      wallet_address: from,
      chain_id: 'fuji',
      token_symbol: 'AVAX',
      token_contract: 'native',
      to_address: to,
      amount: '1.5',
    },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const { transaction } = body.data;
  expect(transaction.explorer_url).toBe(`https://testnet.snowtrace.io/tx/${transaction.tx_hash}`);
  expect((await readBalances(chain, to, [])).native).toBe(1_500_000_000_000_000_000n);
  const [, details] = await h.call('GET /onchain/details/{tx_hash}', {
    as: person,
    params: { tx_hash: transaction.tx_hash },
  });
  expect(details.data.transaction).toMatchObject({
    chain_id: 'fuji',
    token_symbol: 'AVAX',
    amount: '1.5',
  });
  const [, wallets] = await h.call('GET /manual/wallets/crypto/{user_id}', {
    as: person,
    params: { user_id: person.user_id },
  });
  expect(wallets.data.wallets[0].addresses[0]).toMatchObject({ native_symbol: 'AVAX' });
});

test('USDC moves to it and from it', async () => {
  const { begun, burn, mint } = mover(h, person);
  const recipient_address = freshAddress();
  for (const [from_chain, to_chain] of [
    ['amoy', 'fuji'],
    ['fuji', 'amoy'],
  ] as const) {
    const log = await begun({ from_chain, to_chain, recipient_address });
    expect((await burn(log))[0]).toBe(200);
    expect((await mint(log))[0]).toBe(200);
    expect(await usdcOf(h, to_chain as ChainKey, recipient_address)).toBe(10_000_000n);
  }
  const [, { data }] = await h.call('GET /crosschain/history/{user_id}', {
    as: person,
    params: { user_id: person.user_id },
    query: { from_chain: 'Avalanche' },
  });
  expect(data.transactions).toMatchObject([{ from_chain: 'Avalanche', to_chain: 'Polygon' }]);
});

test('what is offered are the chains and coins that there are', async () => {
  const { paths } = await read('/openapi.json');
  const body = paths['/onchain/execute'].post.requestBody.content['application/json'];
  const { chain_id, token_symbol } = body.schema.properties;
  expect(chain_id.enum).toEqual(['sepolia', 'amoy', 'neon', 'fuji']);
  expect(token_symbol.enum).toEqual(['ETH', 'POL', 'NEON', 'AVAX', 'USDC']);
  const health = await read('/health/ready');
  expect(health.providers).toMatchObject({ amoy: 'sandbox', fuji: 'sandbox' });
});

test('a chain stays what it is, since what was sent there goes on being there', async () => {
  for (const change of [
    `delete from chains where chain_id = 'fuji'`,
    `update chains set evm_chain_id = 43114 where chain_id = 'fuji'`,
    `update chains set coin = 'ETH' where chain_id = 'fuji'`,
    'truncate chains cascade',
  ])
    await expect(run(h.db, change, []), change).rejects.toMatchObject({
      constraint: 'chains_stay',
    });
});
