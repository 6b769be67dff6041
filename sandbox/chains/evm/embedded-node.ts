import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedNode, EmbeddedNodes, EmbeddedOptions } from '#chains/evm/embedded-nodes.ts';
import { ChainError } from '#chains/evm/fault.ts';
import { isAlive, makePrivate, ownIdentity, withFileLock } from '#kernel/db/process-file.ts';
import { endsWithin } from '#kernel/shutdown.ts';
import { type AnvilProcess, endProcess, NodeEnded, startAnvil } from './anvil.ts';
import { fundPlatform, replaceUsdc } from './genesis.ts';
import {
  answers,
  isRecorded,
  type NodePlace,
  type NodeRecord,
  readRecord,
  removeRecord,
  SILENT,
  watchNode,
  writeRecord,
} from './node-record.ts';
import { dumpState, fileExists, headOf, moveAside, replaceFile } from './node-state.ts';
import { replay } from './replay.ts';

const SNAPSHOT_MS = 30_000;
/** How long callers wait for a node whose process lives and does not answer. */
const PATIENCE_MS = 20_000;
const ASK_AGAIN_MS = 250;
/** How long the state of a node that is to end may take; the journal has what is not in it. */
const KEEP_MS = 5_000;

/**
 * Starts the chain's node, or joins the one that another process of this service runs on the same
 * folder. Its owner keeps the state now and then; the others do when they are asked to.
 *
 * There is never a second one: two would be two chains, and what is on one is not on the other. So a
 * node is replaced only when its process is gone, of which silence is no sign: it may be paused, or
 * the machine at its limit. Only its owner ends it, or the process that finds the owner gone.
 */
async function openNode(options: EmbeddedOptions): Promise<EmbeddedNode> {
  const { info, dir, log, signal } = options;
  await makePrivate(dir);
  const deadline = performance.now() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    const opened = await withFileLock(lockOf(options), () => openLocked(options));
    if (opened) return opened;
    if (tries === 1) log.warn({ chain: info.key }, SILENT);
    if (performance.now() > deadline) throw new ChainError('unreachable', `${info.key}: ${SILENT}`);
    await sleep(ASK_AGAIN_MS, undefined, { signal });
  }
}

/** Nothing while there is a node that must be waited for. */
async function openLocked(options: EmbeddedOptions): Promise<EmbeddedNode | undefined> {
  const place = placeOf(options);
  const record = await readRecord(place);
  if (record && (await isAlive(record.node))) {
    if (await isAlive(record.owner))
      return (await answers(place, record)) ? joined(options, record) : undefined;
    await inherit(options, record);
  }
  return owned(options, await start(options));
}

const placeOf = ({ dir, info: { chainId } }: EmbeddedOptions): NodePlace => ({ dir, chainId });
const lockOf = ({ dir, info }: EmbeddedOptions): string => join(dir, `${info.chainId}.lock`);
const statePathOf = ({ dir, info }: EmbeddedOptions): string => join(dir, `${info.chainId}.json`);

/**
 * A node that outlived its owner is ended, since its state is not saved any more; first it is
 * saved.
 */
async function inherit(options: EmbeddedOptions, record: NodeRecord): Promise<void> {
  if (await answers(placeOf(options), record))
    await keepQuietly(options, stateKeeper(options, record));
  await endProcess(record.node);
}

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

function joined(options: EmbeddedOptions, record: NodeRecord): EmbeddedNode {
  const { gone, stop } = watchNode(placeOf(options), record, logOf(options));
  const snapshot = stateKeeper(options, record);
  return { url: record.url, gone, snapshot, stop: async () => stop() };
}

/** Recorded before it is used, so that it is known to others even if we are killed meanwhile. */
async function owned(options: EmbeddedOptions, anvil: AnvilProcess): Promise<EmbeddedNode> {
  const place = placeOf(options);
  const { url, identity: node } = anvil;
  const record: NodeRecord = { url, node, owner: await ownIdentity() };
  const snapshot = stateKeeper(options, record);
  try {
    await writeRecord(place, record);
    await options.bootstrap(url);
    await snapshot();
    return kept(options, anvil, record, snapshot);
  } catch (error) {
    await endProcess(node);
    await removeRecord(place, record);
    throw error;
  }
}

function kept(
  options: EmbeddedOptions,
  anvil: AnvilProcess,
  record: NodeRecord,
  snapshot: () => Promise<void>,
): EmbeddedNode {
  const place = placeOf(options);
  const watch = watchNode(place, record, logOf(options));
  const every = options.snapshotEveryMs ?? SNAPSHOT_MS;
  const timer = setInterval(() => void keepQuietly(options, snapshot), every).unref();
  const gone = Promise.race([anvil.gone, watch.gone]).then(async () => {
    clearInterval(timer);
    watch.stop();
    if (!(await isAlive(record.node))) return;
    // It must not be found any more, now that another one counts.
    options.log.error({ chain: options.info.key }, 'Another node has taken the place of a chain’s');
    await endProcess(record.node).catch((error: unknown) => {
      options.log.error({ chain: options.info.key, err: error }, 'A chain node does not end');
    });
  });

  async function stop(): Promise<void> {
    clearInterval(timer);
    watch.stop();
    if (!(await isAlive(record.node))) return;
    // Under the lock, so that no process finds a record whose node is about to end.
    await withFileLock(lockOf(options), async () => {
      // A node that hangs must end all the same.
      if (await answers(place, record)) await endsWithin(keepQuietly(options, snapshot), KEEP_MS);
      await endProcess(record.node);
      await removeRecord(place, record);
    });
  }

  return { url: record.url, gone, snapshot, stop };
}

const logOf = ({ log, info }: EmbeddedOptions) => ({ log, chain: info.key });

async function keepQuietly(options: EmbeddedOptions, keep: () => Promise<void>): Promise<void> {
  await keep().catch((error: unknown) => {
    options.log.warn({ chain: options.info.key, err: error }, 'A chain state could not be kept');
  });
}

/** Writes the state down if there are blocks that this process has not kept yet. */
function stateKeeper(options: EmbeddedOptions, record: NodeRecord): () => Promise<void> {
  const path = statePathOf(options);
  const { url } = record;
  let last = -1;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    if ((await headOf(url)) === last) return;
    // One process at a time, from the dump to its name, or an older state could replace a newer one.
    await withFileLock(`${path}.lock`, async () => {
      const head = await headOf(url);
      const state = await dumpState(url);
      if (!(await isRecorded(placeOf(options), record)))
        throw new Error('Another node has taken its place');
      await replaceFile(path, state);
      last = head;
    });
  }

  return () => {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  };
}

/** Nodes of our own, for every chain that no RPC address is configured for. */
export const embeddedNodes: EmbeddedNodes = { open: openNode, fundPlatform, replaceUsdc, replay };
