import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../src/kernel/db/process-file.ts';

/**
 * The folders that test servers keep their files in. Their names carry the process id of the test
 * run, so that everything a run has started can be found and removed after every kind of end.
 */

const MEMORY = '/dev/shm';
const MEMORY_NEEDED = 4 * 1024 ** 3;
const NAME = /^archipay-test-(\d+)-/;

/**
 * A new folder for a server's files: in memory where there is plenty, since creating a database
 * takes 40 times as long on some disks. A crash of the server alone loses nothing of either.
 */
export async function testFolder(run: number): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const roomy = memory !== undefined && memory.bavail * memory.bsize > MEMORY_NEEDED;
  return mkdtemp(join(roomy ? MEMORY : tmpdir(), `archipay-test-${run}-`));
}

/** A range from which the system assigns no ports. */
const KEPT_PORTS = [10_000, 32_000] as const;

/** A port of these; another process may listen there all the same. */
export const keptPort = (): number => randomInt(...KEPT_PORTS);

/** The same for a server that comes back to its port after it was down: no other process takes it meanwhile. */
export async function clusterFolder(run: number): Promise<string> {
  const dir = await testFolder(run);
  await writeFile(join(dir, 'port'), String(keptPort()));
  return dir;
}

/**
 * Removes a folder that a server, or a process which was killed, may still be writing its last files
 * to: that takes several tries. Throws where one never ends.
 */
export const removeFolder = (dir: string): Promise<void> =>
  rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

/** An immediate shutdown of the server over `dir`, if there is one. */
export function killServer(dir: string): void {
  try {
    const file = readFileSync(join(dir, 'cluster', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(file, 10), 'SIGQUIT');
  } catch {
    // It is down already, or was never up.
  }
}

/**
 * Removes the remains of a test run, and of any run that ended without doing so itself. Synchronous,
 * because it must also work while the process exits.
 */
export function discard(run: number): void {
  for (const place of [MEMORY, tmpdir()])
    for (const name of namesIn(place)) {
      const owner = Number(NAME.exec(name)?.[1] ?? 0);
      if (owner === 0 || (owner !== run && isRunning(owner))) continue;
      killServer(join(place, name));
      remove(join(place, name));
    }
}

/**
 * A server that is ending removes files too, and `force` then gives up without a word: so it takes
 * several tries. A folder that another user left is that user's to remove.
 */
function remove(dir: string): void {
  for (let tries = 0; existsSync(dir) && tries < 40; tries += 1)
    try {
      rmSync(dir, { recursive: true, force: true });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['EACCES', 'EPERM'].includes(code)) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}
