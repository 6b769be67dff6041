import { parseTransaction, zeroAddress } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type TestNetwork, testNetwork } from '#test/evm.ts';
import { broadcast, receiptOf } from '../client.ts';
import { bridgeMintCall } from '../contracts/calls.ts';
import type { ManagedChain } from '../network.ts';
import { keySigner, type Signer } from '../signer.ts';
import { type ChainTransaction, recordMined } from './journal.ts';
import { monitorOpenEvm } from './monitor.ts';

describe('looking after transactions', () => {
  let test: TestNetwork;
  let chain: ManagedChain;
  const wallets = new Map<string, Signer>();
  let count = 0;

  beforeAll(async () => {
    test = await testNetwork({
      settings: { stuckAfterMs: 0, finalDepth: 3 },
      signerOf: async (address) => wallets.get(address),
    });
    chain = test.network.chains.sepolia;
    await chain.client();
  });
  afterAll(() => test.close());

  async function node(method: string, ...params: unknown[]): Promise<unknown> {
    const client = await chain.client();
    const call = { method, params } as { method: 'eth_chainId' };
    return client.request(call);
  }
  const mine = (blocks = 1) => node('anvil_mine', blocks);

  async function wallet(): Promise<Signer> {
    const signer = keySigner(generatePrivateKey());
    wallets.set(signer.address, signer);
    await chain.sender.execute({
      ...some(test.network.keys.faucet, signer.address),
      value: 10n ** 18n,
    });
    return signer;
  }
  const some = (signer: Signer, to: `0x${string}` = zeroAddress) => ({
    signer,
    to,
    value: 5n,
    reference: `w:${count++}`,
    purpose: 'test',
  });

  /** While no blocks are made, everything sent is stuck. */
  async function withoutBlocks<T>(work: () => Promise<T>): Promise<T> {
    await node('evm_setAutomine', false);
    return work().finally(() => node('evm_setAutomine', true));
  }

  async function journalled(reference: string): Promise<ChainTransaction> {
    const row = await chain.sender.find(reference);
    if (row === undefined) throw new Error(`${reference} is not in the journal`);
    return row;
  }

  it('what is final stays what it is, whatever somebody has read before it was', async () => {
    const { transaction_id, hash, reference } = await chain.sender.execute(some(await wallet()));
    const receipt = await receiptOf(await chain.client(), hash);
    if (!receipt) throw new Error('Not executed');
    const late = () => recordMined(test.database.db, [{ transaction_id, receipt }], true);
    await run(
      test.database.db,
      `update chain_transactions set status = 'REVERTED', is_final = true where transaction_id = $1`,
      [transaction_id],
    );
    expect(await late()).toEqual([]);
    expect(await journalled(reference)).toMatchObject({ status: 'REVERTED', is_final: true });
    await run(
      test.database.db,
      `update chain_transactions set status = 'CONFIRMED' where transaction_id = $1`,
      [transaction_id],
    );
    expect(await late()).toMatchObject([{ status: 'CONFIRMED', is_final: true }]);
  });

  it('a stuck transaction is offered a quarter more, with the same nonce and content', async () => {
    const signer = await wallet();
    await withoutBlocks(async () => {
      const sent = await chain.sender.send(some(signer));
      const settled = chain.sender.awaitReceipt(sent);
      await chain.monitorOpen();
      const replaced = await journalled(sent.reference);
      expect(replaced.hash).not.toBe(sent.hash);
      expect(replaced.nonce).toBe(sent.nonce);
      expect(replaced.gas_price).toBe((sent.gas_price * 5n + 3n) / 4n);
      expect(parseTransaction(replaced.raw)).toMatchObject({ value: 5n });
      await mine();
      expect(await settled).toMatchObject({ hash: replaced.hash, status: 'CONFIRMED' });
    });
    expect(await (await chain.client()).getTransactionCount(signer)).toBe(1);
  });

  it('no offer goes above the ceiling', async () => {
    const signer = await wallet();
    await withoutBlocks(async () => {
      const sent = await chain.sender.send(some(signer));
      const capped = test.reopen({
        rpcUrls: { sepolia: await chain.url() },
        settings: { stuckAfterMs: 0, gasPriceCeiling: sent.gas_price },
      });
      await capped.chains.sepolia.monitorOpen();
      expect((await journalled(sent.reference)).hash).toBe(sent.hash);
      await mine();
    });
  });

  it('when the network chose an earlier signature, the row says so', async () => {
    const signer = await wallet();
    await withoutBlocks(async () => {
      const sent = await chain.sender.send(some(signer));
      await chain.monitorOpen();
      await node('anvil_dropAllTransactions');
      await broadcast(await chain.client(), sent.raw);
      await mine();
      await chain.monitorOpen();
      expect(await journalled(sent.reference)).toMatchObject({
        hash: sent.hash,
        raw: sent.raw,
        gas_price: sent.gas_price,
        status: 'CONFIRMED',
      });
    });
  });

  it('what the node forgot is sent again as it was', async () => {
    const signer = await wallet();
    await withoutBlocks(async () => {
      const sent = await chain.sender.send(some(signer));
      await node('anvil_dropAllTransactions');
      await chain.monitorOpen();
      await mine();
      expect(await chain.sender.awaitReceipt(sent)).toMatchObject({
        hash: sent.hash,
        status: 'CONFIRMED',
      });
    });
  });

  it('what the node forgot is sent again by itself where the chains are watched', async () => {
    const signer = await wallet();
    const rpcUrls = { sepolia: await chain.url() };
    const watched = test.reopen({ rpcUrls });
    const { sender } = watched.chains.sepolia;
    const sent = await withoutBlocks(async () => {
      const lost = await sender.send(some(signer));
      await node('anvil_dropAllTransactions');
      return lost;
    });
    watched.watch(10);
    expect(await sender.awaitReceipt(sent)).toMatchObject({
      nonce: sent.nonce,
      status: 'CONFIRMED',
    });
    await watched.stop();
  });

  it('who waits hears of what another process has replaced and seen mined', async () => {
    const signer = await wallet();
    const settings = { stuckAfterMs: 0, finalDepth: 0 };
    const rpcUrls = { sepolia: await chain.url() };
    const other = test.reopen({ rpcUrls, settings }).chains.sepolia;
    await withoutBlocks(async () => {
      const sent = await chain.sender.send(some(signer));
      const settled = chain.sender.awaitReceipt(sent);
      await other.monitorOpen();
      const { hash } = await journalled(sent.reference);
      expect(hash).not.toBe(sent.hash);
      await mine();
      await other.monitorOpen();
      expect(await settled).toMatchObject({ hash, status: 'CONFIRMED' });
    });
  });

  it('a nonce that a stranger used makes a transaction lost, once that is final', async () => {
    const signer = await wallet();
    await withoutBlocks(async () => {
      const request = some(signer);
      await chain.sender.send(request);
      const { nonce, gas_price } = await journalled(request.reference);
      await node('anvil_dropAllTransactions');
      const stranger = {
        type: 'legacy',
        chainId: chain.info.chainId,
        nonce,
        to: zeroAddress,
      } as const;
      const raw = await signer.sign({ ...stranger, gas: 21_000n, gasPrice: gas_price, value: 9n });
      await broadcast(await chain.client(), raw);
      await mine();
      await chain.monitorOpen();
      expect(await journalled(request.reference)).toMatchObject({ status: 'PENDING' });
      // A node that keeps no old states cannot tell how deep a nonce was used, so ask for the head's.
      const sure = test.reopen({
        rpcUrls: { sepolia: await chain.url() },
        settings: { stuckAfterMs: 0, finalDepth: 0 },
      });
      await sure.chains.sepolia.monitorOpen();
      expect(await journalled(request.reference)).toMatchObject({ status: 'LOST' });
      await expect(chain.sender.execute(request)).rejects.toMatchObject({ kind: 'refused' });
    });
  });

  it('what a node shows the nonce of before its receipt is not lost', async () => {
    const signer = await wallet();
    const settings = { stuckAfterMs: 0, finalDepth: 0 };
    await withoutBlocks(async () => {
      const other = test.reopen({ rpcUrls: { sepolia: await chain.url() } });
      const { sender } = other.chains.sepolia;
      const { hash, reference } = await sender.send(some(signer));
      // Else it would ask for the receipt, too.
      await sender.stop();
      await mine();
      const client = await chain.client();
      let isShown = false;
      const receiptOfIt = JSON.stringify({ method: 'eth_getTransactionReceipt', params: [hash] });
      const request = async (call: { method: 'eth_chainId' }) => {
        const asksForIt = JSON.stringify(call) === receiptOfIt;
        if (!asksForIt || isShown) return client.request(call);
        isShown = true;
        return null;
      };
      const late = { ...client, request } as unknown as typeof client;
      const access = { ...chain, client: async () => late };
      const log = { info() {}, warn() {}, error() {} };
      const signerOf = async () => signer;
      await monitorOpenEvm({ db: test.database.db, chain: access, log, settings, signerOf });
      expect(isShown).toBe(true);
      expect(await journalled(reference)).toMatchObject({ hash, status: 'CONFIRMED' });
    });
  });

  it('what had to be cancelled is answered as such to whoever asks for it again', async () => {
    const signer = await wallet();
    await withoutBlocks(async () => {
      const request = { ...some(signer), value: 10n ** 17n };
      await chain.sender.send(request);
      await node('anvil_dropAllTransactions');
      await node('anvil_setBalance', signer.address, `0x${(10n ** 16n).toString(16)}`);
      await chain.monitorOpen();
      const cancelled = await chain.sender.send(request);
      expect(cancelled).toMatchObject({ is_filler: true, status: 'PENDING' });
      await mine();
      await chain.monitorOpen();
      await expect(chain.sender.execute(request)).rejects.toMatchObject({ kind: 'refused' });
    });
  });

  it('a transaction that a reorganisation threw out is put back, until it is deep enough', async () => {
    const signer = await wallet();
    const checkpoint = await node('evm_snapshot');
    const sent = await chain.sender.execute(some(signer));
    await node('evm_revert', checkpoint);
    await mine();
    expect(await (await chain.client()).getTransactionCount(signer)).toBe(0);
    await chain.monitorOpen();
    await chain.monitorOpen();
    const back = await journalled(sent.reference);
    expect(back).toMatchObject({ hash: sent.hash, status: 'CONFIRMED', is_final: false });
    expect(back.block_hash).not.toBe(sent.block_hash);
    await mine(3);
    await chain.monitorOpen();
    expect(await journalled(sent.reference)).toMatchObject({ is_final: true });
  });

  it('whoever listens is told of what is new, once, and whatever another listener throws', async () => {
    const signer = await wallet();
    const told: [reference: string, status: string, is_final: boolean][] = [];
    test.network.listen(() => Promise.reject(new Error('deaf')));
    test.network.listen(async ({ reference, status, is_final }) => {
      told.push([reference, status, is_final]);
    });
    const checkpoint = await node('evm_snapshot');
    const { reference } = await chain.sender.execute(some(signer));
    const news = async () => {
      told.length = 0;
      await chain.monitorOpen();
      return told.filter(([of]) => of === reference).map(([, ...what]) => what);
    };
    expect(await news()).toEqual([]);
    await node('evm_revert', checkpoint);
    await mine();
    // Its block is gone; it is sent again, and mined at once.
    expect(await news()).toEqual([['PENDING', false]]);
    expect(await news()).toEqual([['CONFIRMED', false]]);
    expect(await news()).toEqual([]);
    await mine(3);
    expect(await news()).toEqual([['CONFIRMED', true]]);
    expect(await news()).toEqual([]);
  });

  it('a reverted transaction is known as such and keeps its fee', async () => {
    const signer = await wallet();
    const { relayer } = test.network.keys;
    await withoutBlocks(async () => {
      // Two claims to the same nonce at the bridge: both simulate well, one can be executed.
      const mint = bridgeMintCall(
        chain.contracts,
        { nonce: 'same', units: 1n, recipient: signer.address },
        { chainId: 80_002, hash: `0x${'00'.repeat(32)}` },
      );
      const claim = () => ({ ...some(relayer), ...mint, value: 0n });
      const claims = [chain.sender.execute(claim()), chain.sender.execute(claim())];
      const outcomes = Promise.allSettled(claims);
      const pending = () =>
        run(test.database.db, "select from chain_transactions where status = 'PENDING'", []);
      while ((await pending()).length < 2);
      while (Number(((await node('txpool_status')) as { pending: string }).pending) < 2);
      await mine();
      const [first, second] = await outcomes;
      expect(first?.status).not.toBe(second?.status);
      const reverted = [first, second].find((outcome) => outcome?.status === 'rejected');
      expect(reverted).toMatchObject({ reason: { kind: 'reverted' } });
    });
    const [row] = await run<ChainTransaction>(
      test.database.db,
      "select * from chain_transactions where status = 'REVERTED'",
      [],
    );
    expect(row?.gas_fee).toBeGreaterThan(0n);
  });
});
