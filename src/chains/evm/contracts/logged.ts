import {
  type Address,
  getAbiItem,
  type Hash,
  isAddressEqual,
  type Log,
  parseEventLogs,
  zeroAddress,
} from 'viem';
import type { ChainAccess, ChainClient } from '../client.ts';
import { chainFault } from '../fault.ts';
import { testUSDC } from './contracts.generated.ts';
import type { ContractSet } from './deploy.ts';
import { type Movement, TOKENS } from './movement.ts';

/** One movement of a token, by the chain's own log of it. */
export interface Logged extends Omit<Movement, 'isBridged'> {
  readonly hash: Hash;
  readonly index: number;
  readonly from: Address;
  readonly block: bigint;
}

export interface LoggedPage {
  /** With the times of their blocks, in whole seconds. */
  readonly logged: readonly (Logged & { readonly at: Date })[];
  /** The block that the next page begins with; nothing when these were all. */
  readonly next?: bigint;
}

/** Which of those that the chain logged matter; asked for a page of them at once. */
export type Choose = (all: readonly Logged[]) => Promise<readonly Logged[]>;

type Asked = Pick<ChainAccess, 'client'> & { readonly contracts: ContractSet };

/** Blocks in one question; who refuses them, or has too much to say, is asked for fewer. */
const STEP = 2_000n;
const LOGGED_MAX = 1000;
/** Blocks whose time is asked for at once. */
const AT_ONCE = 50;
const TRANSFER = getAbiItem({ abi: testUSDC.abi, name: 'Transfer' });

/**
 * What the chain logged of our tokens from one moment to another, by its own time. Pages end where blocks
 * do. Throws ChainError.
 */
export async function readLogged(
  chain: Asked,
  { from, to, block }: { readonly from: Date; readonly to: Date; readonly block?: bigint },
  choose: Choose,
): Promise<LoggedPage> {
  try {
    const client = await chain.client();
    const head = await client.getBlockNumber();
    const first = block ?? (await firstSince(client, from, head));
    const end = await firstSince(client, to, head);
    if (first >= end) return { logged: [] };
    const { chosen, last } = await chosenOf(client, chain.contracts, { first, end, choose });
    const logged = await withTimes(client, chosen);
    return { logged, ...(last + 1n < end ? { next: last + 1n } : {}) };
  } catch (error) {
    throw chainFault(error);
  }
}

interface Range {
  readonly first: bigint;
  readonly end: bigint;
  readonly choose: Choose;
}

async function chosenOf(client: ChainClient, contracts: ContractSet, range: Range) {
  const address = [contracts.usdc, contracts.idr_token];
  for (let width = STEP; ; width /= 2n) {
    const last = range.first + width < range.end ? range.first + width - 1n : range.end - 1n;
    const filter = { address, event: TRANSFER, fromBlock: range.first, toBlock: last };
    const logs = await client.getLogs(filter).catch((error: unknown) => {
      if (width === 1n) throw error;
      return undefined;
    });
    if (logs === undefined) continue;
    const chosen = await range.choose(logs.flatMap((log) => loggedOf(contracts, log)));
    if (chosen.length <= LOGGED_MAX) return { chosen, last };
    if (width === 1n) throw new Error(`Block ${last} moves our tokens ${chosen.length} times`);
  }
}

function loggedOf(contracts: ContractSet, log: Log): Logged[] {
  return parseEventLogs({ abi: testUSDC.abi, eventName: 'Transfer', logs: [log] }).flatMap(
    (one) => {
      const { address, args, transactionHash: hash, logIndex: index, blockNumber: block } = one;
      const tokens = Object.keys(TOKENS) as Movement['token'][];
      const token = tokens.find((name) => isAddressEqual(address, contracts[TOKENS[name]]));
      if (token === undefined) return [];
      const { from, to, value } = args;
      const isMint = isAddressEqual(from, zeroAddress);
      const taken = isAddressEqual(to, zeroAddress) ? 'burn' : 'send';
      const kind = isMint ? 'mint' : taken;
      return [{ token, kind, units: isMint ? value : -value, hash, index, from, block }];
    },
  );
}

async function withTimes(client: ChainClient, chosen: readonly Logged[]) {
  const blocks = [...new Set(chosen.map(({ block }) => block))];
  const times = new Map<bigint, Date>();
  for (let i = 0; i < blocks.length; i += AT_ONCE)
    await Promise.all(
      blocks.slice(i, i + AT_ONCE).map(async (block) => {
        times.set(block, await timeOf(client, block));
      }),
    );
  return chosen.map((one) => ({ ...one, at: times.get(one.block) ?? new Date(0) }));
}

/** The first block of that time or later, near the newest most of the time; one more than `head` without. */
export async function firstSince(client: ChainClient, at: Date, head: bigint): Promise<bigint> {
  let high = head + 1n;
  let low = 0n;
  for (let back = 1n; high > 0n; back *= 2n) {
    const block = high > back ? high - back : 0n;
    if ((await timeOf(client, block)) < at) {
      low = block + 1n;
      break;
    }
    high = block;
  }
  while (low < high) {
    const middle = (low + high) / 2n;
    if ((await timeOf(client, middle)) < at) low = middle + 1n;
    else high = middle;
  }
  return high;
}

const timeOf = async (client: ChainClient, blockNumber: bigint): Promise<Date> => {
  const { timestamp } = await client.getBlock({ blockNumber });
  return new Date(Number(timestamp) * 1000);
};
