import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id: number;
  readonly method: string;
}

interface Idle {
  readonly url: string;
  readonly server: Server;
}

const NOTHING = `0x${'0'.repeat(64)}`;
/** An empty block as old as the chain. */
const BLOCK = {
  number: '0x1',
  hash: NOTHING,
  parentHash: NOTHING,
  timestamp: '0x0',
  transactions: [],
  gasLimit: '0x1',
  gasUsed: '0x0',
  baseFeePerGas: '0x1',
  logs: [],
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_blockNumber: '0x1',
  eth_getBlockByNumber: BLOCK,
  eth_getBalance: '0x0',
  eth_getTransactionCount: '0x0',
  eth_gasPrice: '0x1',
  eth_call: NOTHING,
  eth_getLogs: [],
};

/**
 * A node of an idle chain. It answers at once: the bench measures the service and its database, without first replaying
 * the journal of years to a new chain.
 */
export async function startIdleNode(chainId: number): Promise<Idle> {
  const answer = ({ id, method }: Call) => {
    const result = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : ANSWERS[method];
    return { jsonrpc: '2.0', id, result: result ?? null };
  };
  return startServer(async (request) => {
    const call: Call | readonly Call[] = JSON.parse(await textOf(request));
    return Array.isArray(call) ? call.map(answer) : answer(call as Call);
  });
}

const HEAD = { slot: 1, height: 1, time: 0 };

/** Cardano by Blockfrost's API, where every requested transaction is in the latest block. */
export const startIdleCardano = (): Promise<Idle> =>
  startServer(async ({ url = '' }) => {
    const [, , hash] = url.split('/');
    if (url.startsWith('/txs/')) return { hash, block_height: 1, block_time: 0, slot: 1 };
    return url === '/blocks/latest' ? HEAD : [];
  });

async function startServer(answer: (request: IncomingMessage) => Promise<unknown>): Promise<Idle> {
  const server = createServer(async (request, response) => {
    const answered = JSON.stringify(await answer(request));
    response.setHeader('content-type', 'application/json').end(answered);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
