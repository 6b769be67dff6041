import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Address, keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { chainIdAt } from '#sandbox/chains/evm/node-state.ts';
import { scriptOf } from '#test/child.ts';
import { TEST_MNEMONIC, type TestNetwork, testNetwork } from '#test/evm.ts';
import { broadcast } from '../client.ts';
import { mintTokenCall } from '../contracts/calls.ts';
import type { Witness } from '../contracts/proofs.ts';
import { proveTransfer } from '../contracts/transfer-proof.ts';
import type { ManagedChain } from '../network.ts';
import { readBalances } from '../reads.ts';
import { keySigner } from '../signer.ts';
import type { ChainTransaction } from './journal.ts';

/**
 * The journal under the effects: what is signed is sent once, whoever is killed when. Their crash matrix
 * cannot show that, since it ends where a chain begins; so here processes and nodes are killed indeed.
 */
let test: TestNetwork;
beforeEach(async () => {
  test = await testNetwork({ settings: { stuckAfterMs: 0 } });
});
afterEach(() => test.close());

const child = await scriptOf('evm-child.ts');
const freshAddress = () => privateKeyToAccount(generatePrivateKey()).address;

function spawnChild(orders: object): ChildProcess {
  const { databaseUrl, dataDir } = test;
  const all = JSON.stringify({ databaseUrl, dataDir, mnemonic: TEST_MNEMONIC, ...orders });
  return spawn(process.execPath, [child, all], { stdio: ['ignore', 'pipe', 'inherit'] });
}

const until = (what: string, check: () => Promise<boolean>): Promise<void> =>
  expect.poll(check, { message: what }).toBe(true);

const journal = (where = 'true') =>
  run<ChainTransaction>(
    test.database.db,
    `select * from chain_transactions where ${where} order by transaction_id`,
    [],
  );

/** Forwards to the node, but the call-back sees each transaction before or after it went through. */
async function proxy(target: string, onSend: (forward: () => Promise<string>) => Promise<string>) {
  const server: Server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const forward = async () => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(target, { method: 'POST', headers, body })).text();
    };
    const answer = body.includes('eth_sendRawTransaction') ? onSend(forward) : forward();
    response.setHeader('content-type', 'application/json');
    response.end(await answer.catch(() => ''));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe('a process killed between signing and receipt', () => {
  /** What it leaves behind on that chain: signed, and taken by the node or by nobody. */
  async function killedAtSending(chain: ManagedChain, to: Address, isForwarded: boolean) {
    const node = await proxy(await chain.url(), async (forward) => {
      const answer = isForwarded ? await forward() : '';
      victim.kill('SIGKILL');
      return answer;
    });
    const victim = spawnChild({ rpcUrl: node.url, to, count: 10 });
    await once(victim, 'exit');
    node.close();
    const signed = await journal("reference like 'child:%'");
    expect(signed.length).toBeGreaterThan(0);
    expect(signed.every(({ status }) => status === 'PENDING')).toBe(true);
    return signed;
  }
  /** What the restarted service does, over and over. */
  const untilReceipts = (chain: ManagedChain) =>
    until('receipts', async () => {
      await chain.monitorOpen();
      return (await journal("status = 'PENDING'")).length === 0;
    });

  it('what was never sent goes to a node of our own within seconds', async () => {
    const to = freshAddress();
    const { amoy } = test.reopen({ settings: {} }).chains;
    // Whoever opens a chain later gives its node everything that this has not.
    const client = await amoy.client();
    const signed = await killedAtSending(amoy, to, false);
    const old = "update chain_transactions set sent_at = now() - interval '6 seconds'";
    await run(test.database.db, old, []);
    await amoy.monitorOpen();
    await expect.poll(() => client.getBalance({ address: to })).toBe(BigInt(signed.length));
  });

  it.each([
    ['before the node got anything', false],
    ['after the node got it', true],
  ])('%s: each transaction is on chain once and its row is right', async (_, isForwarded) => {
    const chain = test.network.chains.amoy;
    const to = freshAddress();
    const signed = await killedAtSending(chain, to, isForwarded);
    await untilReceipts(chain);
    // And its jobs ask again.
    const { hot } = test.network.keys;
    const again = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        chain.sender.execute({
          signer: hot,
          to,
          value: 1n,
          reference: `child:${i}`,
          purpose: 'test',
        }),
      ),
    );
    expect(new Set(again.map(({ nonce }) => nonce)).size).toBe(10);
    expect(await (await chain.client()).getBalance({ address: to })).toBe(10n);
    const rows = await journal("reference like 'child:%'");
    for (const { hash, raw } of signed)
      expect(rows.find((row) => row.hash === hash)).toMatchObject({ raw, status: 'CONFIRMED' });
  });
});

describe('the state of embedded chains', () => {
  interface Picture {
    readonly head: bigint;
    readonly balances: readonly unknown[];
    readonly receipts: readonly unknown[];
  }

  async function pictureOf(chain: ManagedChain, addresses: readonly Address[]): Promise<Picture> {
    const client = await chain.client();
    const { usdc, idr_token } = chain.contracts;
    const rows = await journal(`chain_id = ${chain.info.chainId}`);
    return {
      head: await client.getBlockNumber(),
      balances: await Promise.all(
        addresses.map(async (address) => ({
          ...(await readBalances(chain, address, [usdc, idr_token])),
          count: await client.getTransactionCount({ address }),
        })),
      ),
      receipts: await Promise.all(
        rows.map(async ({ hash }) => {
          const { gasUsed, effectiveGasPrice, status } = await client.getTransactionReceipt({
            hash,
          });
          return { hash, gasUsed, effectiveGasPrice, status };
        }),
      ),
    };
  }

  async function spend(chain: ManagedChain, name: string, to: Address): Promise<void> {
    const { faucet, hot } = test.network.keys;
    await Promise.all(
      Array.from({ length: 15 }, (_, i) => [
        chain.sender.execute({
          signer: faucet,
          to,
          value: BigInt(i) * 10n ** 15n + 1n,
          reference: `${name}:coin:${i}`,
          purpose: 'test',
        }),
        chain.sender.execute({
          signer: hot,
          ...mintTokenCall(chain.contracts.usdc, to, BigInt(i + 1)),
          reference: `${name}:usdc:${i}`,
          purpose: 'test',
        }),
      ]).flat(),
    );
  }

  /** Answers when the chain is there again. */
  async function killNode(chain: ManagedChain): Promise<void> {
    const url = await chain.url();
    const path = join(test.dataDir, 'chains', `${chain.info.chainId}.node`);
    process.kill(Number.parseInt(JSON.parse(await readFile(path, 'utf8')).node, 10), 'SIGKILL');
    await until('the node is gone', async () => (await chainIdAt(url)) === undefined);
    await until('it is known', async () => (await chain.url().catch(() => url)) !== url);
  }

  const everybody = (to: Address): Address[] => [
    to,
    ...Object.values(test.network.keys).map(({ address }) => address as Address),
  ];

  it('survives a stop: blocks, balances, receipts', async () => {
    const to = freshAddress();
    await spend(test.network.chains.neon, 'a', to);
    const before = await pictureOf(test.network.chains.neon, everybody(to));
    await test.network.stop();
    expect(await pictureOf(test.reopen().chains.neon, everybody(to))).toEqual(before);
  });

  it('survives kill -9 of the node to the wei: the snapshot, and the journal since', async () => {
    const chain = test.network.chains.neon;
    const to = freshAddress();
    await spend(chain, 'a', to);
    await chain.snapshot();
    await spend(chain, 'b', to);
    const { head: _, ...before } = await pictureOf(chain, everybody(to));
    await killNode(chain);
    const { head: __, ...after } = await pictureOf(chain, everybody(to));
    expect(after).toEqual(before);
    expect(await journal("status <> 'CONFIRMED'")).toEqual([]);
  });

  it.each(['its owner', 'another process'])(
    'keeps what %s accepted as a proof, though no journal of ours has it',
    async (who) => {
      const chain = test.network.chains.neon;
      const outside = keySigner(generatePrivateKey());
      const sent = { to: outside.address, value: 10n ** 18n };
      const faucet = { signer: test.network.keys.faucet, reference: 'fund', purpose: 'test' };
      await chain.sender.execute({ ...faucet, ...sent });
      const client = await chain.client();
      const to = freshAddress();
      const raw = await outside.sign({
        type: 'legacy',
        chainId: chain.info.chainId,
        nonce: 0,
        to,
        value: 7n,
        gas: 21_000n,
        gasPrice: 10n ** 10n,
      });
      await broadcast(client, raw);
      const expected = { from: outside.address, to, units: 7n, confirmations: 1 };
      const witness = who === 'its owner' ? chain : test.reopen().chains.neon;
      // A node answers before it has mined.
      const proof = (by: Witness) => expect.poll(() => proveTransfer(by, keccak256(raw), expected));
      await proof(witness).toHaveProperty('proven');

      await killNode(chain);
      await proof(chain).toHaveProperty('proven');
      expect(await (await chain.client()).getBalance({ address: to })).toBe(7n);
    },
  );

  it('is rebuilt from the journal when its file is broken', async () => {
    const to = freshAddress();
    await spend(test.network.chains.neon, 'a', to);
    const { head: _, ...before } = await pictureOf(test.network.chains.neon, everybody(to));
    await test.network.stop();
    const path = join(test.dataDir, 'chains', '245022926.json');
    const state = await readFile(path, 'utf8');
    await writeFile(path, state.slice(0, state.length / 2));
    const { head: __, ...after } = await pictureOf(test.reopen().chains.neon, everybody(to));
    expect(after).toEqual(before);
    expect((await readFile(`${path}.broken`, 'utf8')).length).toBe(Math.floor(state.length / 2));
  });
});

describe('the processes', () => {
  it('a node that is killed while its chain is made cannot be reached, until the next use', async () => {
    const chain = test.network.chains.neon;
    // What is in the journal is asked for before the contracts are.
    const other = await test.database.pool.connect();
    await other.query('begin; lock table chain_transactions');
    const told = expect(chain.client()).rejects.toMatchObject({ kind: 'unreachable' });
    await until('the journal is asked for', async () => {
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return (await run(test.database.db, waiting, [])).length > 0;
    });
    const path = join(test.dataDir, 'chains', `${chain.info.chainId}.node`);
    process.kill(Number.parseInt(JSON.parse(await readFile(path, 'utf8')).node, 10), 'SIGKILL');
    await other.query('rollback');
    other.release();
    await told;
    expect(await (await chain.client()).getChainId()).toBe(chain.info.chainId);
  });

  it('no node outlives a service that was killed', async () => {
    const owner = spawnChild({ to: freshAddress(), count: 1 });
    const [line] = (await once(owner.stdout ?? owner, 'data')) as [Buffer];
    const url = line.toString().trim().split('\n')[0] ?? '';
    await expect.poll(() => chainIdAt(url)).toBe(80_002);
    owner.kill('SIGKILL');
    await until('the node is gone', async () => (await chainIdAt(url)) === undefined);
  });

  it('a second process joins the nodes of the first and leaves them when it stops', async () => {
    const url = await test.network.chains.amoy.url();
    const other = test.reopen();
    expect(await other.chains.amoy.url()).toBe(url);
    await other.stop();
    await expect.poll(() => chainIdAt(url)).toBe(80_002);
  });

  it('however many ask at once, one node is started', async () => {
    const { sepolia } = test.network.chains;
    const urls = await Promise.all(Array.from({ length: 20 }, () => sepolia.url()));
    expect(new Set(urls).size).toBe(1);
  });

  it('an RPC of another chain is refused', async () => {
    const wrong = test.reopen({ rpcUrls: { sepolia: await test.network.chains.amoy.url() } });
    await expect(wrong.chains.sepolia.client()).rejects.toMatchObject({ kind: 'wrong_chain' });
  });
});
