import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChainLog } from '#chains/evm/settings.ts';
import { isAlive } from '#kernel/db/process-file.ts';
import { chainIdAt, replaceFile } from './node-state.ts';

/** Which node a chain has, for all processes that share the folder. Written under the chain's lock. */
export interface NodeRecord {
  readonly url: string;
  /** Its process, as `process-file.ts` identifies it. */
  readonly node: string;
  /** The process that keeps its state. */
  readonly owner: string;
}

/** Where a chain's files are. */
export interface NodePlace {
  readonly dir: string;
  readonly chainId: number;
}

const LOOK_MS = 1_000;
export const SILENT = 'A chain node lives but does not answer';

const recordPath = ({ dir, chainId }: NodePlace): string => join(dir, `${chainId}.node`);

/** Nothing when there is none, or an unreadable one. */
export async function readRecord(place: NodePlace): Promise<NodeRecord | undefined> {
  const text = await readFile(recordPath(place), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    // A record that cannot be read for the moment must not count as none.
    throw error;
  });
  const { url, node, owner } = JSON.parse(text) as Partial<NodeRecord>;
  const isWhole = [url, node, owner].every((field) => typeof field === 'string');
  return isWhole ? (JSON.parse(text) as NodeRecord) : undefined;
}

export const writeRecord = (place: NodePlace, record: NodeRecord): Promise<void> =>
  replaceFile(recordPath(place), JSON.stringify(record));

/** Whether that node still is the chain's. */
export const isRecorded = async (place: NodePlace, { node }: NodeRecord): Promise<boolean> =>
  (await readRecord(place))?.node === node;

/** Removes the record unless it is another node's by now. Under the chain's lock. */
export async function removeRecord(place: NodePlace, record: NodeRecord): Promise<void> {
  if (await isRecorded(place, record)) await rm(recordPath(place), { force: true });
}

export const answers = async ({ chainId }: NodePlace, { url }: NodeRecord): Promise<boolean> =>
  (await chainIdAt(url)) === chainId;

export interface NodeWatch {
  /** When the node's process has ended, or another node has taken its place. */
  readonly gone: Promise<void>;
  stop(): void;
}

/** Watches another process's node. Silence is logged, and does not count as its end. */
export function watchNode(
  place: NodePlace,
  record: NodeRecord,
  { log, chain }: { log: ChainLog; chain: string },
): NodeWatch {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const fields = { chain, process: Number.parseInt(record.node, 10) };
  let timer: NodeJS.Timeout | undefined;
  let silent = false;
  let stopped = false;

  async function isThere(): Promise<boolean> {
    if (!(await isRecorded(place, record))) return false;
    const said = await answers(place, record);
    if (!said && !(await isAlive(record.node))) return false;
    if (!said && !silent) log.warn(fields, SILENT);
    if (said && silent) log.info(fields, 'The chain node answers again');
    silent = !said;
    return true;
  }
  const lookLater = () => {
    if (!stopped) timer = setTimeout(() => void look(), LOOK_MS).unref();
  };
  async function look(): Promise<void> {
    // What cannot be seen for the moment is looked at again.
    if (await isThere().catch(() => true)) lookLater();
    else resolve();
  }
  lookLater();
  return {
    gone,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
