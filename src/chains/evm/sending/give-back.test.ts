import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Address, zeroAddress } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testNetwork } from '#test/evm.ts';
import { gate } from '#test/waiting.ts';
import { keySigner } from '../signer.ts';

const network = await testNetwork({ settings: { stuckAfterMs: 0, finalDepth: 3 } });
const chain = network.network.chains.sepolia;
await chain.client();
afterAll(() => network.close());

interface Asked {
  readonly id: number;
  readonly method: string;
}

/**
 * The chain's node by another address, where it may take no transaction; `looked` runs after the node has said that
 * it does not know one, and before whoever has asked hears of it.
 */
async function nodeBetween(looked: () => Promise<unknown>, isRefusing: boolean): Promise<string> {
  const upstream = await chain.url();
  const answer = async (asked: Asked): Promise<unknown> => {
    if (isRefusing && asked.method === 'eth_sendRawTransaction')
      return {
        jsonrpc: '2.0',
        id: asked.id,
        error: { code: -32000, message: 'intrinsic gas too low' },
      };
    const reply = await fetch(upstream, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
    const told: unknown = await reply.json();
    if (asked.method === 'eth_getTransactionByHash') await looked();
    return told;
  };
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request)) as Asked | Asked[];
    const told = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(told));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends by a node that takes nothing. */
async function sendRefused(
  reference: string,
  looked: () => Promise<unknown>,
  to: Address = zeroAddress,
) {
  const other = network.reopen({ rpcUrls: { sepolia: await nodeBetween(looked, true) } });
  const signer = network.network.keys.faucet;
  return other.chains.sepolia.sender.send({
    signer,
    to,
    value: 5n,
    reference,
    purpose: 'test',
  });
}

test('what a node has refused for good is taken back, with its nonce', async () => {
  const refused = sendRefused('refused', async () => undefined);
  await expect(refused).rejects.toMatchObject({ kind: 'refused' });
  expect(await chain.sender.find('refused')).toBeUndefined();
  const signer = network.network.keys.faucet;
  const next = { signer, to: zeroAddress, value: 5n, reference: 'next', purpose: 'test' };
  expect(await chain.sender.execute(next)).toMatchObject({ status: 'CONFIRMED' });
});

test('what the monitor has sent before it was taken back stays, and is not called refused', async () => {
  const sent = await sendRefused('sent meanwhile', () => chain.monitorOpen());
  await chain.monitorOpen();
  expect(await chain.sender.find('sent meanwhile')).toMatchObject({
    hash: sent.hash,
    status: 'CONFIRMED',
  });
});

test('what was cancelled since the monitor has looked for it is not sent by the monitor', async () => {
  const looked = gate();
  const between = await nodeBetween(() => looked.pass(), false);
  const other = network.reopen({ rpcUrls: { sepolia: between } }).chains.sepolia;
  const { address: to } = keySigner(generatePrivateKey());
  const signer = network.network.keys.faucet;
  const behind = { signer, to: zeroAddress, value: 5n, reference: 'behind', purpose: 'test' };
  let monitoring: Promise<unknown> | undefined;
  const refused = sendRefused(
    'cancelled',
    async () => {
      monitoring ??= other.monitorOpen();
      await looked.reached;
      // With a later nonce handed out its own can only be cancelled.
      await chain.sender.send(behind);
    },
    to,
  );
  await expect(refused).rejects.toMatchObject({ kind: 'refused' });
  looked.open();
  await monitoring;
  await chain.monitorOpen();
  await chain.monitorOpen();
  const client = await chain.client();
  expect(await client.getBalance({ address: to })).toBe(0n);
  expect(await chain.sender.execute(behind)).toMatchObject({ status: 'CONFIRMED' });
});
