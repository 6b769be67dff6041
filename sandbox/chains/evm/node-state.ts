import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);
const TIMEOUT_MS = 60_000;

/** The node's whole state as `--load-state` reads it. */
export async function dumpState(url: string): Promise<Buffer> {
  const hex = await rpc(url, 'anvil_dumpState');
  if (typeof hex !== 'string') throw new Error('The node gave no state');
  return unzip(Buffer.from(hex.slice(2), 'hex'));
}

/** The number of the node's latest block. Used to see whether there is anything new to keep. */
export const headOf = async (url: string): Promise<number> =>
  Number(await rpc(url, 'eth_blockNumber'));

/** The chain id that answers there, if anything does. */
export const chainIdAt = (url: string): Promise<number | undefined> =>
  rpc(url, 'eth_chainId', 2_000).then(Number, () => undefined);

/**
 * Replaces the file at once: a crash leaves the old content or the new, never a part. Under a lock,
 * since every writer uses the same name meanwhile, so that killed writers leave no pile behind.
 */
export async function replaceFile(path: string, content: Buffer | string): Promise<void> {
  const part = `${path}.tmp`;
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/** Keeps a state that no node takes, so that the reason can be found out. */
export async function moveAside(path: string): Promise<string> {
  const aside = `${path}.broken`;
  await rm(aside, { force: true });
  await rename(path, aside);
  return aside;
}

export const fileExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function rpc(url: string, method: string, timeoutMs = TIMEOUT_MS): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { result, error } = (await response.json()) as {
    result?: unknown;
    error?: { message: string };
  };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
