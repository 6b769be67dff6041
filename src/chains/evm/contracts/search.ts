import type { AbiEvent, Address, Log } from 'viem';
import type { ChainAccess } from '../client.ts';
import { chainFault } from '../fault.ts';

export interface LogSearch {
  readonly address: Address;
  readonly event: AbiEvent;
  /** Values of indexed arguments, which the node then filters by. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Blocks before this time, by the chain's own clock, are not looked at. */
  readonly since: Date;
  /** Blocks in one question to begin with. */
  readonly step?: bigint;
}

/** Most nodes answer for so many blocks at once. */
const STEP = 10_000n;
/** Every node that is worth asking answers for so many. */
const STEP_MIN = 100n;

/**
 * What `find` sees in the contract's events, the newest blocks first; nothing when there is no such
 * event up to now. Nodes limit how many blocks one question may span, each to a number of its own:
 * who refuses one is asked a narrower one. Throws ChainError when the chain does not answer.
 */
export async function searchLogs<T>(
  chain: Pick<ChainAccess, 'client'>,
  { address, event, args, since, step = STEP }: LogSearch,
  find: (logs: Log[]) => T | undefined,
): Promise<T | undefined> {
  try {
    const client = await chain.client();
    const narrowest = step < STEP_MIN ? 1n : STEP_MIN;
    let width = step;
    let to = await client.getBlockNumber();
    for (;;) {
      const from = to >= width ? to - width + 1n : 0n;
      const filter = { address, event, fromBlock: from, toBlock: to, ...(args && { args }) };
      const logs = await client.getLogs(filter as never).catch((error: unknown) => {
        if (width <= narrowest) throw error;
        return undefined;
      });
      if (logs === undefined) {
        width /= 2n;
        continue;
      }
      const found = find(logs as Log[]);
      if (found !== undefined) return found;
      const { timestamp } = await client.getBlock({ blockNumber: from });
      if (from === 0n || Number(timestamp) * 1000 < since.getTime()) return undefined;
      to = from - 1n;
    }
  } catch (error) {
    throw chainFault(error);
  }
}
