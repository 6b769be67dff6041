import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { locked } from '#kernel/db/process-file.ts';
import { inTime } from '#kernel/ending.ts';
import { type AnvilProcess, NodeEnded, signal, startAnvil, stopAnvil } from './anvil.ts';
import type { ChainInfo } from './chains.ts';
import { chainIdAt, dumpState, fileExists, headOf, moveAside, replaceFile } from './node-state.ts';
import type { ChainLog } from './settings.ts';

/** A node that this service runs itself, with its state on disk. */
export interface EmbeddedNode {
  readonly url: string;
  /** When it no longer answers, for whatever reason. */
  readonly gone: Promise<void>;
  /** Writes the state down now, if blocks were added since the last time. */
  snapshot(): Promise<void>;
  /** Keeps the state and ends the node; one that another process runs is only left. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly info: ChainInfo;
  /** Where states are kept. */
  readonly dir: string;
  readonly log: ChainLog;
  readonly snapshotEveryMs?: number;
  readonly blockTimeS?: number | undefined;
  /** Makes a started node ready for use; nobody else sees it before. */
  readonly bootstrap: (url: string) => Promise<void>;
}

interface NodeRecord {
  readonly url: string;
  readonly pid: number;
  /** The process that keeps its state. */
  readonly owner: number;
}

const SNAPSHOT_MS = 30_000;
const LOOK_MS = 1_000;
const KEEP_MS = 5_000;

/**
 * Starts the chain's node, or joins the one that another process of this service runs on the same
 * folder. Its owner keeps the state now and then; the others do when they are asked to.
 */
export async function openNode(options: EmbeddedOptions): Promise<EmbeddedNode> {
  const { info, dir } = options;
  await mkdir(dir, { recursive: true });
  const recordPath = join(dir, `${info.chainId}.node`);
  return locked(join(dir, `${info.chainId}.lock`), async () => {
    const running = await findRunning(recordPath, info.chainId);
    if (running && signal(running.owner, 0)) return joined(options, running);
    const process_ = running ? adopted(running) : await start(options);
    const node = owned(options, process_, recordPath);
    try {
      await options.bootstrap(process_.url);
      await node.snapshot();
      const record: NodeRecord = { url: process_.url, pid: process_.pid, owner: process.pid };
      await replaceFile(recordPath, JSON.stringify(record));
      return node;
    } catch (error) {
      await stopAnvil(process_.pid);
      throw error;
    }
  });
}

async function findRunning(path: string, chainId: number): Promise<NodeRecord | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const record = JSON.parse(text) as NodeRecord;
  return (await chainIdAt(record.url)) === chainId ? record : undefined;
}

const statePathOf = ({ dir, info }: EmbeddedOptions): string => join(dir, `${info.chainId}.json`);

/** A state that the node refuses is put aside: the journal has everything of ours that was in it. */
async function start(options: EmbeddedOptions): Promise<AnvilProcess> {
  const { info, log, blockTimeS } = options;
  const { chainId } = info;
  const statePath = statePathOf(options);
  if (!(await fileExists(statePath))) return startAnvil({ chainId, blockTimeS });
  try {
    return await startAnvil({ chainId, blockTimeS, statePath });
  } catch (error) {
    if (!(error instanceof NodeEnded)) throw error;
    const fresh = await startAnvil({ chainId, blockTimeS });
    const aside = await moveAside(statePath);
    log.error({ chain: info.key, aside, err: error }, 'A chain state is broken: rebuilding it');
    return fresh;
  }
}

/** Its process is not our child, so only asking tells whether it lives. */
const adopted = ({ url, pid }: NodeRecord): AnvilProcess => ({ url, pid, gone: silence(url) });

const joined = (options: EmbeddedOptions, { url }: NodeRecord): EmbeddedNode => ({
  url,
  gone: silence(url),
  snapshot: stateKeeper(options, url),
  stop: async () => undefined,
});

function owned(options: EmbeddedOptions, anvil: AnvilProcess, recordPath: string): EmbeddedNode {
  const { info, log } = options;
  const { url, pid, gone } = anvil;
  const snapshot = stateKeeper(options, url);

  const timer = setInterval(() => {
    snapshot().catch((error: unknown) => {
      log.warn({ chain: info.key, err: error }, 'A chain state could not be kept');
    });
  }, options.snapshotEveryMs ?? SNAPSHOT_MS).unref();
  void gone.then(() => clearInterval(timer));

  async function stop(): Promise<void> {
    clearInterval(timer);
    const kept = snapshot().catch((error: unknown) => {
      log.warn({ chain: info.key, err: error }, 'A chain state could not be kept at the end');
    });
    // A node that hangs must end all the same; the journal has what its last state has not.
    await inTime(kept, KEEP_MS);
    await stopAnvil(pid);
    await rm(recordPath, { force: true });
  }

  return { url, gone, snapshot, stop };
}

/** Writes the state down if there are blocks that this process has not kept yet. */
function stateKeeper(options: EmbeddedOptions, url: string): () => Promise<void> {
  const path = statePathOf(options);
  let kept = -1;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    if ((await headOf(url)) === kept) return;
    // One process at a time, from the dump to its name, or an older state could replace a newer one.
    await locked(`${path}.lock`, async () => {
      const head = await headOf(url);
      await replaceFile(path, await dumpState(url));
      kept = head;
    });
  }

  return () => {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  };
}

/** Resolves when nothing answers at that address any more. */
function silence(url: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(async () => {
      if ((await chainIdAt(url)) !== undefined) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS).unref();
  });
}
