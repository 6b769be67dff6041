import { type Hash, parseEther, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type TestNetwork, testNetwork } from '#test/evm.ts';
import { mintTokenCall, transferCall } from '../contracts/calls.ts';
import type { ManagedChain } from '../network.ts';
import { keySigner, type Signer, sealedSigner } from '../signer.ts';
import type { ChainTransaction } from './journal.ts';
import { createSigningQueue } from './signing-queue.ts';

describe('sending', () => {
  let test: TestNetwork;
  let chain: ManagedChain;
  const wallets = new Map<string, Signer>();
  let count = 0;

  beforeAll(async () => {
    // Whatever has no receipt when the watchdog looks is stuck.
    test = await testNetwork({
      settings: { stuckAfterMs: 0 },
      signerOf: async (address) => wallets.get(address),
    });
    chain = test.network.chains.amoy;
    await chain.client();
  });
  afterAll(() => test.close());

  const pay = (signer: Signer, to: `0x${string}`, value: bigint, reference = `pay:${count++}`) =>
    chain.sender.execute({ signer, to, value, reference, purpose: 'test' });

  async function fundedWallet(wei: bigint): Promise<Signer> {
    const wallet = keySigner(generatePrivateKey());
    wallets.set(wallet.address, wallet);
    await pay(test.network.keys.faucet, wallet.address, wei);
    return wallet;
  }

  const journalOf = (address: string) =>
    run<ChainTransaction>(
      test.database.db,
      'select * from chain_transactions where from_address = $1 order by nonce',
      [address],
    );

  it('fifty parallel sends of one wallet are mined without a gap though five of them fail', async () => {
    const wallet = await fundedWallet(parseEther('10'));
    const { usdc } = chain.contracts;
    await chain.sender.execute({
      signer: test.network.keys.hot,
      ...mintTokenCall(usdc, wallet.address, 45n),
      reference: 'units',
      purpose: 'test',
    });
    const to = privateKeyToAccount(generatePrivateKey()).address;
    const sends = Array.from({ length: 50 }, (_, i) =>
      chain.sender.execute({
        signer: wallet,
        ...transferCall(usdc, to, i % 10 === 3 ? 1_000n : 1n),
        reference: `parallel:${i}`,
        purpose: 'test',
      }),
    );
    const results = await Promise.allSettled(sends);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    const journal = await journalOf(wallet.address);
    expect(journal.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 45 }, (_, i) => i));
    expect(journal.every(({ status }) => status === 'CONFIRMED')).toBe(true);
    const client = await chain.client();
    expect(await client.getTransactionCount({ address: wallet.address })).toBe(45);
  });

  it('a call has gas enough though another one empties the slot it writes to before it is mined', async () => {
    const wallet = await fundedWallet(parseEther('1'));
    const { usdc } = chain.contracts;
    const { hot } = test.network.keys;
    const order = { purpose: 'test' };
    const mint = mintTokenCall(usdc, wallet.address, 5n);
    await chain.sender.execute({ signer: hot, ...mint, reference: 'slot:used', ...order });
    // Estimated while there is a balance, sent when somebody has spent it.
    const prepared = await chain.sender.quote({ from: hot.address, ...mint });
    const spend = transferCall(usdc, privateKeyToAccount(generatePrivateKey()).address, 5n);
    await chain.sender.execute({ signer: wallet, ...spend, reference: 'slot:empty', ...order });
    const log = { info() {}, warn() {}, error() {} };
    const lane = createSigningQueue({ db: test.database.db, chain, address: hot.address, log });
    const sent = await lane.push(
      { signer: hot, ...mint, reference: 'slot:late', ...order },
      prepared,
    );
    expect((await chain.sender.awaitReceipt(sent)).status).toBe('CONFIRMED');
  });

  it('what cannot be paid beside what is on its way takes no nonce', async () => {
    // Each alone is affordable when it is simulated; together they are not.
    const wallet = await fundedWallet(parseEther('10'));
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) => {
        const value = i === 1 || i === 4 ? parseEther('9.8') : parseEther('0.01');
        return pay(wallet, zeroAddress, value, `greedy:${i}`);
      }),
    );
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    expect(refused).toEqual([
      expect.objectContaining({
        kind: 'insufficient_funds',
        details: { required: expect.any(BigInt), available: expect.any(BigInt) },
      }),
    ]);
    const journal = await journalOf(wallet.address);
    expect(journal.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 11 }, (_, i) => i));
    expect(journal.every(({ status }) => status === 'CONFIRMED')).toBe(true);
  });

  it('a transaction that the node refuses after its nonce was taken leaves no gap behind', async () => {
    const wallet = await fundedWallet(parseEther('1'));
    const log = { info() {}, warn() {}, error() {} };
    const lane = createSigningQueue({ db: test.database.db, chain, address: wallet.address, log });
    const prepared = await chain.sender.quote({ from: wallet.address, to: zeroAddress, value: 1n });
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, i) =>
        lane.push(
          { signer: wallet, to: zeroAddress, value: 1n, reference: `low:${i}`, purpose: 'test' },
          { ...prepared, gas: i % 4 === 2 ? 100n : prepared.gas },
        ),
      ),
    );
    const refused = results.flatMap((result, i) => (result.status === 'rejected' ? [i] : []));
    expect(refused).toEqual([2, 6]);
    const after = await pay(wallet, zeroAddress, 1n);
    const client = await chain.client();
    const count = await client.getTransactionCount({ address: wallet.address });
    expect(count).toBe(after.nonce + 1);
    await chain.monitorOpen();
    const journal = await journalOf(wallet.address);
    expect(journal.map(({ nonce }) => nonce)).toEqual(journal.map((_, i) => i));
    expect(journal.some(({ status }) => status === 'PENDING')).toBe(false);
  });

  it('what happened is what its sender was told, when the wallet runs dry on the way', async () => {
    const wallet = await fundedWallet(parseEther('1'));
    const to = privateKeyToAccount(generatePrivateKey()).address;
    let settled = false;
    const all = Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => pay(wallet, to, parseEther('0.1'), `dry:${i}`)),
    ).finally(() => {
      settled = true;
    });
    while (!settled) await chain.monitorOpen();
    const paid = (await all).filter(({ status }) => status === 'fulfilled').length;
    expect(paid).toBeGreaterThan(0);
    const client = await chain.client();
    expect(await client.getBalance({ address: to })).toBe(BigInt(paid) * parseEther('0.1'));
  });

  it('lanes of several processes share an address without a clash', async () => {
    const wallet = await fundedWallet(parseEther('5'));
    const context = { db: test.database.db, chain, address: wallet.address };
    const log = { info() {}, warn() {}, error() {} };
    const signingQueues = [1, 2, 3].map(() => createSigningQueue({ ...context, log }));
    const prepared = await chain.sender.quote({ from: wallet.address, to: zeroAddress, value: 1n });
    const rows = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        signingQueues[i % 3]?.push(
          { signer: wallet, to: zeroAddress, value: 1n, reference: `p:${i}`, purpose: 'test' },
          prepared,
        ),
      ),
    );
    const settled = await Promise.all(rows.map((row) => row && chain.sender.awaitReceipt(row)));
    expect(settled.every((row) => row?.status === 'CONFIRMED')).toBe(true);
    expect(new Set(settled.map((row) => row?.nonce)).size).toBe(30);
  });

  it('the same reference is one transaction, asked at once, later, or by another process', async () => {
    const wallet = await fundedWallet(parseEther('1'));
    const once = () => pay(wallet, zeroAddress, 7n, 'once');
    const rows = await Promise.all(Array.from({ length: 8 }, once));
    const other = test.reopen().chains.amoy;
    const request = { signer: wallet, to: zeroAddress, value: 7n } as const;
    rows.push(await other.sender.execute({ ...request, reference: 'once', purpose: 'test' }));
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(1);
    await expect(pay(wallet, zeroAddress, 8n, 'once')).rejects.toThrow('another content');
    expect(await journalOf(wallet.address)).toHaveLength(1);
  });

  it('a shortage is reported in wei before anything is signed', async () => {
    const wallet = await fundedWallet(1_000n);
    await expect(pay(wallet, zeroAddress, 10n ** 18n)).rejects.toMatchObject({
      kind: 'insufficient_funds',
      details: { required: expect.any(BigInt), available: 1_000n },
    });
    expect(await journalOf(wallet.address)).toHaveLength(0);
  });

  it('the fee is the gas used at exactly the price offered, to the wei', async () => {
    const wallet = await fundedWallet(parseEther('1'));
    const client = await chain.client();
    const call = { from: wallet.address, to: zeroAddress, value: 5n };
    const { gasPrice } = await chain.sender.quote({ ...call, gasPricePoints: 10_000n });
    const request = {
      signer: wallet,
      to: zeroAddress,
      value: 5n,
      gasPricePoints: 30_000n,
    } as const;
    const row = await chain.sender.execute({ ...request, reference: 'fee', purpose: 'test' });
    expect(row.gas_price).toBe(gasPrice * 3n);
    expect(row.gas_fee).toBe(21_000n * gasPrice * 3n);
    const left = await client.getBalance({ address: wallet.address });
    expect(left).toBe(parseEther('1') - 5n - row.gas_fee);
  });

  it('a sealed key is opened for each signature only, and must be the address it claims', async () => {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    await pay(test.network.keys.faucet, address, parseEther('1'));
    let opened = 0;
    const openKey = async () => {
      opened += 1;
      return key;
    };
    const wallet = sealedSigner(address.toLowerCase(), 'sealed', openKey);
    await pay(wallet, zeroAddress, 1n);
    await pay(wallet, zeroAddress, 1n);
    expect(opened).toBe(2);
    const stranger = sealedSigner(test.network.keys.hot.address, 'sealed', openKey);
    await expect(pay(stranger, zeroAddress, 1n)).rejects.toThrow('not that of');
  });

  it('a hash in the journal is the hash on chain', async () => {
    const wallet = await fundedWallet(parseEther('1'));
    const { hash, block_hash } = await pay(wallet, zeroAddress, 1n);
    const client = await chain.client();
    const found = await client.getTransaction({ hash: hash as Hash });
    expect(found.blockHash).toBe(block_hash);
  });
});
