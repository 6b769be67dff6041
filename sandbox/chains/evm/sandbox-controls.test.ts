import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();
const SOMEBODY = '0x00000000000000000000000000000000000a11ce';

test('the chains are listed with their contracts, at an address that answers', async () => {
  const chains = await h.sandbox('GET', '/chains');
  expect(chains.map(({ chain_id }: { chain_id: string }) => chain_id)).toEqual([
    'sepolia',
    'amoy',
    'neon',
  ]);
  for (const { rpc_url, ...contracts } of chains) {
    for (const name of ['usdc', 'idr_token', 'bridge', 'marketplace', 'commerce'])
      expect(contracts[name]).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const reply = await fetch(rpc_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getCode',
        params: [contracts.usdc, 'latest'],
      }),
    });
    expect(((await reply.json()) as { result: string }).result.length).toBeGreaterThan(100);
  }
});

test('the faucet answers when the balance is there, and what it gave can be burnt', async () => {
  const give = (asset: string, amount: unknown) =>
    h.sandbox('POST', '/faucet', { chain: 'amoy', address: SOMEBODY, asset, amount });
  expect(await give('native', '1.5')).toMatchObject({ balance: '1.500000000000000000' });
  expect(await give('USDC', 10)).toMatchObject({ balance: '10.000000' });
  expect(await give('IDRT', '25000.50')).toMatchObject({ balance: '25000.50' });
  const burn = (amount: string) =>
    h.sandbox('POST', '/chains/amoy/burn', { asset: 'USDC', from: SOMEBODY, amount });
  expect(await burn('4')).toEqual({ tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  expect(await give('USDC', '0.000001')).toMatchObject({ balance: '6.000001' });
  await expect(burn('7')).rejects.toThrow('VALIDATION_ERROR');
});

test.each([
  { chain: 'mainnet', address: SOMEBODY, asset: 'USDC', amount: '1' },
  { chain: 'amoy', address: '0x123', asset: 'USDC', amount: '1' },
  { chain: 'amoy', address: SOMEBODY, asset: 'DOGE', amount: '1' },
  { chain: 'amoy', address: SOMEBODY, asset: 'USDC', amount: '0.0000001' },
  { chain: 'amoy', address: SOMEBODY, asset: 'USDC', amount: '-1' },
  { chain: 'amoy', address: SOMEBODY, asset: 'native', amount: '9000000000' },
])('the faucet gives nothing for %j', async (wish) => {
  await expect(h.sandbox('POST', '/faucet', wish)).rejects.toThrow('refuses POST /faucet');
});
