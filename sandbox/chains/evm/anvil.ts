import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive } from '#kernel/db/process-file.ts';
import { onProcessExit } from '#kernel/process-exit.ts';

const START_MS = 20_000;
const STOP_MS = { SIGTERM: 3_000, SIGKILL: 10_000 } as const;
const LOOK_MS = 20;
const LISTENING = /Listening on (127(?:\.\d+){3}:\d+)/;
/** Where all of 127.0.0.0/8 is this machine without having been set up. */
const WHOLE_LOOPBACK: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'win32']);
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface AnvilProcess {
  readonly url: string;
  /** The process, as `process-file.ts` identifies it. */
  readonly identity: string;
  /** When the process has ended, for any reason. */
  readonly gone: Promise<void>;
}

export interface AnvilOptions {
  readonly chainId: number;
  /** A dumped state to begin with. */
  readonly statePath?: string | undefined;
  /** Seconds between blocks; without it each transaction makes one at once. */
  readonly blockTimeS?: number | undefined;
}

/** The node ended before it listened, as it does with a state that it cannot read. */
export class NodeEnded extends Error {}

/** Starts a node on a free port of this machine. Rejects when it does not begin to listen. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  const [command, args] = dyingWithUs(anvilBinary(), [
    ...['--host', newLoopback(), '--port', '0', '--chain-id', String(options.chainId)],
    // Test accounts with public keys have no place next to our own.
    ...['--accounts', '0'],
    // With more threads the pool loses track of about one in 9,000 pipelined transactions.
    ...['--threads', '1'],
    // Otherwise old states fill the disk and stay there.
    '--prune-history',
    // Receipts of older blocks are forgotten, so that memory and the kept state stay bounded.
    ...['--transaction-block-keeper', '10000'],
    '--no-request-size-limit',
    // Else any page in a browser on this machine could ask the node.
    '--no-cors',
    ...(options.statePath ? ['--load-state', options.statePath] : []),
    ...(options.blockTimeS ? ['--block-time', String(options.blockTimeS)] : []),
  ]);
  // Detached, because a Ctrl-C must reach us first: we write the state down before it goes.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.unref();
  const release = onProcessExit(() => void child.kill('SIGKILL'));
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  }).finally(release);
  const url = await listening(child, gone);
  const identity = await identify(child.pid ?? 0);
  if (identity === undefined) throw new NodeEnded('The node ended at once');
  return { url, identity, gone };
}

/** Asks the process to end and, when it does not, ends it. Afterwards it is gone for certain. */
export async function endProcess(identity: string): Promise<void> {
  for (const name of ['SIGTERM', 'SIGKILL'] as const)
    for (let waited = 0; waited < STOP_MS[name]; waited += LOOK_MS) {
      if (!(await isAlive(identity))) return;
      if (waited === 0) send(Number.parseInt(identity, 10), name);
      await sleep(LOOK_MS);
    }
  throw new Error(`The process ${identity} does not end`);
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * An address of this machine that cannot be guessed. Nodes answer any `Host` and any origin of a WebSocket, so that a page
 * in a browser here, whose name its owner makes point to an address, could ask one that it finds. A Mac has 127.0.0.1 alone,
 * where only the port is left to guess.
 */
function newLoopback(): string {
  if (!WHOLE_LOOPBACK.has(process.platform)) return '127.0.0.1';
  return ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
}

function anvilBinary(): string {
  const arch = ARCHITECTURES[process.arch] ?? process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`);
  } catch (cause) {
    throw new Error(
      `The embedded chains need the package ${name}. Install it, or set EVM_SEPOLIA_RPC_URL, ` +
        'EVM_AMOY_RPC_URL and EVM_NEON_RPC_URL to nodes of your own.',
      { cause },
    );
  }
}

/** Linux ends the node when we are killed without a chance to do it; elsewhere the next start does. */
function dyingWithUs(binary: string, args: string[]): [string, string[]] {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (process.platform !== 'linux' || setpriv === undefined) return [binary, args];
  return [setpriv, ['--pdeathsig', 'TERM', binary, ...args]];
}

function listening(child: ChildProcess, gone: Promise<void>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  const read = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
    const address = LISTENING.exec(said)?.[1];
    if (address) resolve(`http://${address}`);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new Error(`The node did not listen within ${START_MS} ms: ${said.trim()}`));
  }, START_MS);
  child.once('error', reject);
  void gone.then(() => reject(new NodeEnded(`The node ended at once: ${said.trim()}`)));
  return promise.finally(() => {
    clearTimeout(timer);
    // From here on its output is only drained, or the pipe would fill and stop it.
    for (const stream of [child.stdout, child.stderr]) {
      stream?.off('data', read);
      stream?.resume();
      (stream as { unref?: () => void } | null)?.unref?.();
    }
  });
}
