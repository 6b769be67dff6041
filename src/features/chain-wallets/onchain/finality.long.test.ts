// Long: a chain takes blocks back.

import type { Address, Hash } from 'viem';
import { afterAll, expect, test } from 'vitest';
import { broadcast } from '#chains/evm/client.ts';
import { createNetwork } from '#chains/evm/network.ts';
import type { ChainTransaction, EvmNetwork } from '#chains/evm/port.ts';
import {
  managedAddresses,
  signerOf,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { createPlatformFee } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { emittedTypes } from '#test/emitted-events.ts';
import { silentLog, testNetwork } from '#test/evm.ts';
import { harness, type Person } from '#test/harness.ts';
import { walletOn } from '#test/wallets.ts';
import { sendFees } from './fees.ts';
import { followSends as followSend } from './finality.ts';
import { type Send, sendReference } from './store.ts';

// A node outside the service: its blocks are not final at once, and can be taken back.
const outside = await testNetwork();
const node = outside.network.chains.amoy;
const rpcUrl = await node.url();
const h = await harness({ config: { EVM_AMOY_RPC_URL: rpcUrl, EVM_CONFIRMATIONS: '3' } });
const { evm } = h.app;
const { amoy } = evm.chains;
afterAll(() => outside.close());

async function call(method: string, ...params: unknown[]): Promise<unknown> {
  const client = await node.client();
  return client.request({ method, params } as never);
}
const mine = (blocks: number) => call('anvil_mine', blocks);
const automine = (isOn: boolean) => call('evm_setAutomine', isOn);
const balanceOf = async (address: Address) => (await node.client()).getBalance({ address });

let serial = 0xf0110;
const fresh = (): Address => {
  serial += 1;
  return `0x${serial.toString(16).padStart(40, '0')}`;
};

async function sender() {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const wallet_address = (address?.wallet_address ?? '') as Address;
  await node.sender.execute({
    signer: outside.network.keys.faucet,
    to: wallet_address,
    value: 3n * 10n ** 18n,
    reference: `fund:${wallet_address}`,
    purpose: 'test',
  });
  const to = fresh();
  const coin = { chain_id: 'amoy', token_symbol: 'POL', token_contract: 'native' };
  const body = { ...coin, wallet_address, to_address: to, amount: '1' };
  const headers = { 'idempotency-key': `follow-${wallet_address}` };
  const send = () => h.call('POST /onchain/execute', { as, body, headers });
  const report = (tx_hash?: string) =>
    h.call('POST /onchain/log', {
      as,
      body: { ...body, bw_id: address?.bw_id, tx_hash, gas_fee: 0, platform_fee: 0 },
    });
  return { as, wallet_address, to, send, report };
}

async function recordOf(as: Person) {
  const params = { user_id: as.user_id };
  const [, { data }] = await h.call('GET /onchain/history/{user_id}', { as, params });
  return data.transactions[0];
}
async function recorded(as: Person, status: string) {
  await expect.poll(async () => (await recordOf(as))?.status).toBe(status);
  return recordOf(as);
}

/** Blocks are added until the send is answered. */
async function sent({ as, send }: Awaited<ReturnType<typeof sender>>) {
  const answer = send();
  await recorded(as, 'PENDING');
  await mine(2);
  const [status, { data }] = await answer;
  expect([status, data?.transaction.status]).toEqual([201, 'CONFIRMED']);
  return data.transaction.tx_hash as Hash;
}

const sendOf = async ({ user_id }: Person) =>
  h.db.selectFrom('onchain_sends').selectAll().where('user_id', '=', user_id).executeTakeFirst();
const stats = async (as: Person) => {
  const params = { user_id: as.user_id };
  return (await h.call('GET /transactions/{user_id}/history', { as, params }))[1].data.stats;
};

/** What the monitor and the schedule do as time goes by. */
async function follow(): Promise<void> {
  await amoy.monitorOpen();
  await h.advance(60);
  await h.drain();
}

const confirmed = { status: 'CONFIRMED', is_final: true, block_number: 1, block_hash: '0x1' };
const fee = createPlatformFee({ ...h.kernel, evm }, sendFees);
const withStale = (row: object): EvmNetwork => {
  const sender = { ...amoy.sender, find: async () => row as ChainTransaction };
  return { ...evm, chains: { ...evm.chains, amoy: { ...amoy, sender } } };
};

test('a send is PENDING from its receipt on, and CONFIRMED with its confirmations', async () => {
  const person = await sender();
  const answer = person.send();
  const record = await recorded(person.as, 'PENDING');
  expect(await stats(person.as)).toMatchObject({ pending_transactions: 1, success_rate: 0 });
  await mine(2);
  const [status, { data }] = await answer;
  expect(status).toBe(201);
  expect(data.transaction).toMatchObject({ status: 'CONFIRMED', tx_hash: record.tx_hash });
  expect(await recordOf(person.as)).toMatchObject({ id: record.id, status: 'CONFIRMED' });
  expect(await stats(person.as)).toMatchObject({ completed_transactions: 1, success_rate: 100 });
  // Nothing is taken for what a reorganisation may still undo.
  await follow();
  expect(await sendOf(person.as)).toMatchObject({ is_settled: false, fee_status: 'DUE' });
  await mine(12);
  await follow();
  expect(await sendOf(person.as)).toMatchObject({ is_settled: true, fee_status: 'DUE' });
  await mine(13);
  await follow();
  await follow();
  expect(await sendOf(person.as)).toMatchObject({ fee_status: 'PAID', address_id: null });
});

test('what the chain does with a send is written down by whoever notices it, at once', async () => {
  const person = await sender();
  await sent(person);
  expect(await sendOf(person.as)).toMatchObject({ is_settled: false });
  await mine(12);
  await amoy.monitorOpen();
  const send = await sendOf(person.as);
  expect(send).toMatchObject({ is_settled: true, fee_status: 'DUE' });
  // That it is final is no news to whoever was told of its confirmations.
  expect(await emittedTypes(h, 'transfer', send?.operation)).toEqual([
    'transfer.requested',
    'transfer.sent',
    'transfer.confirmed',
  ]);
  // While there are blocks for its fee.
  await h.drain();
});

test('one whose block is dropped is PENDING again, then CONFIRMED by its new block', async () => {
  const person = await sender();
  const before = await call('evm_snapshot');
  const tx_hash = await sent(person);
  await call('evm_revert', before);
  await automine(false);
  await mine(4);
  await follow();
  expect(await recordOf(person.as)).toMatchObject({ status: 'PENDING', tx_hash });
  expect(await balanceOf(person.to)).toBe(0n);
  // Nor does somebody change that who looked at the journal before it was dropped.
  const send = (await sendOf(person.as)) as Send;
  const row = await amoy.sender.find(sendReference(send.operation));
  await followSend({ ...h.kernel, evm: withStale({ ...row, ...confirmed }), fee }, send);
  expect(await recordOf(person.as)).toMatchObject({ status: 'PENDING' });

  await automine(true);
  await mine(1);
  await follow();
  expect(await recordOf(person.as)).toMatchObject({ status: 'PENDING' });
  // A call of a node on a busy machine may have failed: then it is sent again a little later.
  const later = async () => {
    await mine(2);
    await follow();
    return recordOf(person.as);
  };
  await expect.poll(later).toMatchObject({ status: 'CONFIRMED', tx_hash });
  expect(await balanceOf(person.to)).toBe(10n ** 18n);
});

test('one that is signed anew for more gas has the hash that is on chain', async () => {
  const person = await sender();
  const before = await call('evm_snapshot');
  const first = await sent(person);
  await call('evm_revert', before);
  await automine(false);
  await mine(1);
  // Somebody for whom a second without a receipt is long enough.
  const impatient = networkWith({ stuckAfterMs: 0 });
  await impatient.monitorOpen();
  await impatient.monitorOpen();
  await automine(true);
  await mine(3);
  // Its owner may have seen it on chain and reported it before we looked.
  const { operation } = (await sendOf(person.as)) as Send;
  const { hash } = (await amoy.sender.find(sendReference(operation))) ?? {};
  // Where whoever follows the chain was quicker, it is there already.
  expect([201, 409]).toContain((await person.report(hash))[0]);
  const followed = async () => {
    await follow();
    return recordOf(person.as);
  };
  await expect.poll(followed).toMatchObject({ status: 'CONFIRMED' });
  const record = await recordOf(person.as);
  expect((await stats(person.as)).total_transactions).toBe(1);
  expect(record.tx_hash).not.toBe(first);
  // Whoever was told the first hash finds it as well, unless it is another user's.
  for (const tx_hash of [record.tx_hash, first]) {
    const asked = { as: person.as, params: { tx_hash } };
    expect(await h.call('GET /onchain/details/{tx_hash}', asked)).toMatchObject([
      200,
      { data: { transaction: { tx_hash: record.tx_hash, amount: '1' } } },
    ]);
    const foreign = { ...asked, as: await h.user() };
    expect((await h.call('GET /onchain/details/{tx_hash}', foreign))[0]).toBe(404);
  }
  expect(await balanceOf(person.to)).toBe(10n ** 18n);
});

test('one whose nonce went to another transaction has FAILED, and costs nothing', async () => {
  const person = await sender();
  const before = await call('evm_snapshot');
  await sent(person);
  await call('evm_revert', before);
  await automine(false);
  await call('anvil_dropAllTransactions');
  // The owner has the words of the wallet, and was quicker elsewhere.
  const [address] = await managedAddresses(h.db, {}, { wallet_address: person.wallet_address });
  if (!address) throw new Error('No address');
  const raw = await signerOf(h.kernel.vault, address).sign({
    type: 'legacy',
    chainId: amoy.info.chainId,
    nonce: 0,
    to: fresh(),
    value: 5n,
    gas: 21_000n,
    gasPrice: 10n ** 12n,
  });
  await broadcast(await node.client(), raw);
  await automine(true);
  await mine(20);
  await networkWith({ stuckAfterMs: 0, finalDepth: 0 }).monitorOpen();
  await follow();
  expect(await recordOf(person.as)).toMatchObject({ status: 'FAILED' });
  expect(await sendOf(person.as)).toMatchObject({ status: 'FAILED', fee_status: 'NONE' });
});

/** The same chain as another process of the service might see it. */
function networkWith(settings: { stuckAfterMs: number; finalDepth?: number }) {
  const signer = async (wallet_address: string) => {
    const [address] = await managedAddresses(h.db, {}, { wallet_address });
    return address && signerOf(h.kernel.vault, address);
  };
  return createNetwork({
    db: h.db,
    log: silentLog,
    keys: evm.keys,
    dataDir: h.dataDir,
    signerOf: signer,
    rpcUrls: { amoy: rpcUrl },
    settings,
  }).chains.amoy;
}
