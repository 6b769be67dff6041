import { type AbiEvent, type Address, BlockNotFoundError, type Hash, type Log } from 'viem';
import type { ChainClient } from '../client.ts';
import type { Cursor } from './cursor.ts';

/** Events that are followed: of which contracts, and with which indexed arguments. */
export interface EventSource {
  /** What the reader calls them. */
  readonly name: string;
  readonly address: Address | readonly Address[];
  readonly event: AbiEvent;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** One event, by the chain's own log of it. */
export interface FollowedEvent {
  readonly source: string;
  readonly contract: Address;
  readonly args: Readonly<Record<string, unknown>>;
  readonly hash: Hash;
  /** Which of its transaction's events of that source: the same in whichever block that gets. */
  readonly place: number;
  readonly index: number;
  readonly block: bigint;
  readonly blockHash: Hash;
}

/** Nothing where the chain is not that long. */
export async function hashAt(client: ChainClient, blockNumber: bigint): Promise<Hash | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}

export interface BlockRange {
  /** The block before the first one. */
  readonly after: Cursor;
  readonly to: bigint;
}

/**
 * All events of some blocks, in their order, and the hash of the last one. Nothing where the chain was
 * reorganised meanwhile: blocks and logs are asked for one by one, so they may belong to different histories.
 */
export async function readRange(
  client: ChainClient,
  sources: readonly EventSource[],
  { after, to }: BlockRange,
): Promise<{ readonly events: readonly FollowedEvent[]; readonly hash: Hash } | undefined> {
  const hash = await hashAt(client, to);
  if (hash === undefined) return undefined;
  const range = { fromBlock: after.block + 1n, toBlock: to };
  const found = await Promise.all(
    sources.map(async ({ name, address, event, args }) => {
      const filter = { address, event, strict: true, ...range, ...(args && { args }) };
      return inPlaces(name, (await client.getLogs(filter as never)) as Log[]);
    }),
  );
  // After the logs, or these could be of other blocks than those that are compared.
  const [still, before] = await Promise.all([
    hashAt(client, to),
    after.hash === undefined ? undefined : hashAt(client, after.block),
  ]);
  if (still !== hash || before !== after.hash) return undefined;
  return { events: found.flat().sort(byPlace), hash };
}

function inPlaces(source: string, logs: readonly Log[]): FollowedEvent[] {
  const counted = new Map<Hash, number>();
  return logs.flatMap((log) => {
    const { transactionHash: hash, blockNumber: block, blockHash, logIndex: index } = log;
    // What waits for a block was not asked for, and some nodes tell it nevertheless.
    if (hash === null || block === null || blockHash === null || index === null) return [];
    const place = counted.get(hash) ?? 0;
    counted.set(hash, place + 1);
    const { args } = log as unknown as { args: Readonly<Record<string, unknown>> };
    return [{ source, contract: log.address, args, hash, place, index, block, blockHash }];
  });
}

const byPlace = (a: FollowedEvent, b: FollowedEvent): number =>
  Number(a.block - b.block) || a.index - b.index;
