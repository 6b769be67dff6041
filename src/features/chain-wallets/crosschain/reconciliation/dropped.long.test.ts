// Long: a chain takes blocks back.

import type { Address } from 'viem';
import { afterAll, expect, it } from 'vitest';
import { broadcast } from '#chains/evm/client.ts';
import { createNetwork } from '#chains/evm/network.ts';
import type { Signer } from '#chains/evm/port.ts';
import { walletSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { holdSpending } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { createFaucet } from '#sandbox/chains/evm/faucet.ts';
import { freshAddress, mover, someHash, usdcOf } from '#test/crosschain.ts';
import { silentLog, testNetwork } from '#test/evm.ts';
import { harness } from '#test/harness.ts';
import { heldOf, walletOn } from '#test/wallets.ts';
import { crosschainDeps } from '../crosschain.ts';
import { onTransaction } from './dropped.ts';

// Nodes outside the service: their blocks are not final at once, and can be taken back.
const outside = await testNetwork();
const { sepolia: source, amoy: target } = outside.network.chains;
const rpcUrls = { sepolia: await source.url(), amoy: await target.url() };
const h = await harness({
  mock: false,
  config: {
    EVM_SEPOLIA_RPC_URL: rpcUrls.sepolia,
    EVM_AMOY_RPC_URL: rpcUrls.amoy,
    EVM_CONFIRMATIONS: '2',
    JWT_TTL: '1000000',
  },
});
const { evm } = h.app;
const signerOf = walletSigners(h.db, h.kernel.vault);
afterAll(() => outside.close());

type Node = typeof source;
async function call(node: Node, method: string, ...params: unknown[]): Promise<unknown> {
  return (await node.client()).request({ method, params } as never);
}

/** The same chains for somebody who finds at once what has no receipt, and what is final. */
const impatient = createNetwork({
  db: h.db,
  log: silentLog,
  keys: evm.keys,
  dataDir: h.dataDir,
  rpcUrls,
  signerOf,
  settings: { stuckAfterMs: 0, finalDepth: 0 },
}).chains;

/** What `work` does there happens, and is then undone by a block in which its signer does else. */
async function undone<T>(node: Node, signer: Signer, work: () => Promise<T>): Promise<T> {
  const client = await node.client();
  const nonce = await client.getTransactionCount({ address: signer.address });
  const before = await call(node, 'evm_snapshot');
  const answer = await work();
  await call(node, 'evm_revert', before);
  await call(node, 'anvil_dropAllTransactions');
  const raw = await signer.sign({
    type: 'legacy',
    chainId: node.info.chainId,
    nonce,
    to: freshAddress(),
    value: 5n,
    gas: 21_000n,
    gasPrice: 10n ** 12n,
  });
  await broadcast(client, raw);
  await call(node, 'anvil_mine', 4);
  await impatient[node.info.key].monitorOpen();
  return answer;
}

async function burner() {
  const as = await h.user();
  const [wallet] = await walletOn(h, as, 'sepolia');
  const address = (wallet?.wallet_address ?? '') as Address;
  const { give } = createFaucet(outside.network.keys);
  await give(source, { to: address, asset: 'native', units: 10n ** 18n });
  await give(source, { to: address, asset: 'USDC', units: 10_100_000n });
  const signer = await signerOf(address);
  if (signer === undefined) throw new Error('No wallet');
  const held = () => heldOf(h, address);
  return { ...mover(h, as), address, signer, held };
}

const statusOf = async (person: ReturnType<typeof mover>, log: { log_id: string }) =>
  (await person.details(log))[1].data.transaction.status;

it('a burn that is lost for good costs no fee, and can be burnt anew', async () => {
  const person = await burner();
  const recipient_address = freshAddress();
  const log = await person.begun({ recipient_address });
  const [status] = await undone(source, person.signer, () => person.burn(log));
  expect(status).toBe(200);
  expect(await statusOf(person, log)).toBe('BURNED');
  expect(await person.mint(log)).toMatchObject([
    400,
    { error: 'Invalid status. Burn is not executed.' },
  ]);
  expect(await statusOf(person, log)).toBe('INITIATED');
  expect(await person.held()).toEqual([]);
  await h.drain();
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(10_100_000n);

  expect((await person.burn(log))[0]).toBe(200);
  await call(source, 'anvil_mine', 2);
  expect((await person.mint(log))[0]).toBe(200);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
});

it('a burn that is lost and that nobody mints is found as well, and can be called off', async () => {
  const person = await burner();
  const log = await person.begun();
  await undone(source, person.signer, () => person.burn(log));
  await h.advance(2 * 3600);
  await h.drain();
  expect(await statusOf(person, log)).toBe('INITIATED');
  expect((await person.confirm(log, 'FAILED', someHash()))[0]).toBe(200);
});

it('the listener undoes a burn that is lost for good', async () => {
  const person = await burner();
  const log = await person.begun();
  await undone(source, person.signer, () => person.burn(log));
  const deps = crosschainDeps({ ...h.kernel, ...h.app.providers, signersOf: async () => [] });
  const lost = await evm.chains.sepolia.sender.find(`burn:${log.nonce}`);
  if (lost === undefined) throw new Error('The journal has no burn');
  await onTransaction(deps, { ...lost, reference: `other:${log.nonce}` });
  expect(await statusOf(person, log)).toBe('BURNED');
  await onTransaction(deps, lost);
  expect(await statusOf(person, log)).toBe('INITIATED');
  expect(await person.held()).toEqual([]);
});

it('a mint that is lost for good is minted anew, once, without anybody asking', async () => {
  const person = await burner();
  const recipient_address = freshAddress();
  const log = await person.begun({ recipient_address });
  expect((await person.burn(log))[0]).toBe(200);
  await call(source, 'anvil_mine', 2);
  const [status] = await undone(target, evm.keys.relayer, () => person.mint(log));
  expect(status).toBe(200);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(0n);

  const later = async () => {
    await h.advance(600);
    await h.drain();
    return statusOf(person, log);
  };
  await expect.poll(later).toBe('MINTED');
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(10_000_000n);
});

it('what a burn takes is set aside again while its block is dropped', async () => {
  const person = await burner();
  const log = await person.begun();
  const before = await call(source, 'evm_snapshot');
  expect((await person.burn(log))[0]).toBe(200);
  await call(source, 'evm_revert', before);
  await call(source, 'evm_setAutomine', false);
  await call(source, 'anvil_mine', 4);
  await evm.chains.sepolia.monitorOpen();
  expect((await evm.chains.sepolia.sender.find(`burn:${log.nonce}`))?.status).toBe('PENDING');
  const { usdc } = evm.chains.sepolia.contracts;
  const other = { reference: `other:${log.nonce}`, token_contract: usdc, units: 1n, gas: 0n };
  const place = { db: h.db, chain: evm.chains.sepolia, address: person.address };
  expect(await holdSpending(place, [other], async () => true)).toHaveProperty('short');
  await call(source, 'evm_setAutomine', true);
  await call(source, 'anvil_mine', 20);
  for (let tries = 0; tries < 3; tries += 1) {
    await evm.chains.sepolia.monitorOpen();
    await h.advance(60);
    await h.drain();
    await call(source, 'anvil_mine', 20);
  }
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(0n);
  expect(await person.held()).toEqual([]);
});
