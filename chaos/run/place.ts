import { mkdir, mkdtemp, realpath, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processesOf, signalAll } from '../fleet/processes.ts';

const MEMORY = '/dev/shm';
const MEMORY_NEEDED = 2 * 1024 ** 3;

/** In memory if there is plenty: a kill loses no written data of either. */
export async function makePlace(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const isRoomy = memory !== undefined && memory.bavail * memory.bsize > MEMORY_NEEDED;
  const place = await realpath(await mkdtemp(join(isRoomy ? MEMORY : tmpdir(), 'archipay-chaos-')));
  await mkdir(join(place, 'data'));
  return place;
}

/** Ends what still runs there, and removes it. */
export async function clearPlace(place: string): Promise<void> {
  for (;;) {
    const left = processesOf(join(place, 'data')).map(({ pid }) => pid);
    if (left.length === 0) break;
    signalAll(left, 'SIGKILL');
    await pause(20);
  }
  await rm(place, { recursive: true, force: true });
}
