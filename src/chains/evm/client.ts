import { setTimeout as sleep } from 'node:timers/promises';
import {
  BaseError,
  type Chain,
  createPublicClient,
  defineChain,
  formatTransactionReceipt,
  type Hash,
  type Hex,
  HttpRequestError,
  type HttpTransport,
  http,
  type PublicClient,
  type RpcTransactionReceipt,
  TimeoutError,
  type TransactionReceipt,
} from 'viem';
import { timed } from '#kernel/outside-metrics.ts';
import type { ChainInfo } from './chains.ts';
import { ChainError, chainFault, isKnownAlready, isOvertaken } from './fault.ts';

export type ChainClient = PublicClient<HttpTransport, Chain>;

/** A chain as its users see it: what it is, and a client that survives the node's restarts. */
export interface ChainAccess {
  readonly info: ChainInfo;
  /** Ask each time and do not keep the answer: an embedded node may come back at another address. */
  client(): Promise<ChainClient>;
}

export interface EvmConnectOptions {
  readonly timeoutMs?: number;
  readonly pollingMs?: number;
}

/** A client for that RPC URL. Refuses a node of another chain, which would lose what we sign. */
export async function connect(
  info: ChainInfo,
  url: string,
  options: EvmConnectOptions = {},
): Promise<ChainClient> {
  const client = createPublicClient({
    chain: defineChain({
      id: info.chainId,
      name: info.network,
      nativeCurrency: { name: info.native, symbol: info.native, decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
    // Calls made at the same moment share one request.
    transport: askingAgain(
      info.key,
      http(url, { timeout: options.timeoutMs ?? 10_000, retryCount: 1, batch: true }),
    ),
    pollingInterval: options.pollingMs ?? 50,
    // A cached block number would hide a block that is already there.
    cacheTime: 0,
  });
  const found = await client.getChainId().catch((error: unknown) => {
    throw chainFault(error);
  });
  if (found === info.chainId) return client;
  throw new ChainError('wrong_chain', `${info.key} is chain ${info.chainId}, its node is ${found}`);
}

const TRIES = 10;
const PAUSE_MAX_MS = 50;

/**
 * Counts and times each call to the node. A node without old states that makes a block while it answers takes `latest` for a block that it
 * no longer has. The next time it is another one.
 */
const askingAgain =
  (key: string, transport: HttpTransport): HttpTransport =>
  (options) => {
    const made = transport(options);
    type Asked = Parameters<typeof made.request>;
    const ask = (...asked: Asked) =>
      counted(`evm-${key} ${asked[0].method}`, () => made.request(...asked));
    const request = async (...asked: Asked) => {
      for (let tried = 1; ; tried += 1) {
        try {
          return await ask(...asked);
        } catch (error) {
          if (tried === TRIES || !isOvertaken(error)) throw error;
          await sleep(Math.min(2 ** tried, PAUSE_MAX_MS));
        }
      }
    };
    return { ...made, request: request as typeof made.request };
  };

/** What the node says no to is an answer; that it says nothing is none. */
async function counted<T>(name: string, work: () => Promise<T>): Promise<T> {
  const answered = () =>
    work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  const answer = await timed(name, answered, (one) =>
    'value' in one ? 'done' : isUnanswered(one.error) ? 'unknown' : 'refused',
  );
  if ('error' in answer) throw answer.error;
  return answer.value;
}

const isUnanswered = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((e) => e instanceof HttpRequestError || e instanceof TimeoutError) !== null;

/** Nothing when no block holds the transaction (yet, or any more). */
export async function receiptOf(
  client: ChainClient,
  hash: Hash,
): Promise<TransactionReceipt | undefined> {
  const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  return receipt === null ? undefined : formatTransactionReceipt(receipt as RpcTransactionReceipt);
}

/** Whether the node has the transaction, mined or waiting. */
export async function knows(client: ChainClient, hash: Hash): Promise<boolean> {
  return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) !== null;
}

/** Sends signed bytes. Sending what the node has already is a success, so this can be repeated. */
export async function broadcast(client: ChainClient, raw: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw });
  } catch (error) {
    if (!isKnownAlready(error)) throw error;
  }
}
