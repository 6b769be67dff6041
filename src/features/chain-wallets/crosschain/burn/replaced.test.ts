import type { Address } from 'viem';
import { afterAll, expect, it } from 'vitest';
import { createNetwork } from '#chains/evm/network.ts';
import { walletSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { createFaucet } from '#sandbox/chains/evm/faucet.ts';
import { freshAddress, mover, usdcOf } from '#test/crosschain.ts';
import { silentLog, testNetwork } from '#test/evm.ts';
import { harness } from '#test/harness.ts';
import { walletOn } from '#test/wallets.ts';

// A node outside the service: its blocks are not final at once, and can be taken back.
const outside = await testNetwork();
const node = outside.network.chains.sepolia;
const rpcUrl = await node.url();
const h = await harness({ config: { EVM_SEPOLIA_RPC_URL: rpcUrl, EVM_CONFIRMATIONS: '2' } });
const { sepolia } = h.app.evm.chains;
afterAll(() => outside.close());

async function call(method: string, ...params: unknown[]): Promise<unknown> {
  return (await node.client()).request({ method, params } as never);
}

/** The same chain, for somebody who does not wait before offering more gas. */
const impatient = createNetwork({
  db: h.db,
  log: silentLog,
  keys: h.app.evm.keys,
  dataDir: h.dataDir,
  rpcUrls: { sepolia: rpcUrl },
  settings: { stuckAfterMs: 0 },
  signerOf: walletSigners(h.db, h.kernel.vault),
}).chains.sepolia;

it('a burn that was signed anew after a reorganisation is minted, and known by its new hash', async () => {
  const as = await h.user();
  const person = mover(h, as);
  const [wallet] = await walletOn(h, as, 'sepolia');
  const to = (wallet?.wallet_address ?? '') as Address;
  const { give } = createFaucet(outside.network.keys);
  await give(node, { to, asset: 'native', units: 10n ** 18n });
  await give(node, { to, asset: 'USDC', units: 10_000_000n });
  const recipient_address = freshAddress();
  const log = await person.begun({ recipient_address });

  const before = await call('evm_snapshot');
  const [status, { data }] = await person.burn(log);
  expect(status).toBe(200);
  await call('evm_revert', before);
  await call('evm_setAutomine', false);
  await call('anvil_mine', 1);
  await impatient.monitorOpen();
  await impatient.monitorOpen();
  await call('evm_setAutomine', true);
  const found = () => sepolia.sender.find(`burn:${log.nonce}`);
  const later = async () => {
    await call('anvil_mine', 1);
    await sepolia.monitorOpen();
    return (await found())?.status;
  };
  await expect.poll(later).toBe('CONFIRMED');
  const burnt = await found();
  expect(burnt?.hash).not.toBe(data.tx_hash);
  await call('anvil_mine', 2);

  expect(await person.mint(log)).toMatchObject([200, { status: 'MINTED' }]);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
  const [, details] = await person.details(log);
  expect(details.data.transaction.burn_tx_hash).toBe(burnt?.hash);
});
