import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { testFolder } from '#test/folders.ts';
import { identify, isAlive, ownIdentity, withFileLock } from './process-file.ts';

let dir: string;
let lock: string;
const killed: (() => void)[] = [];

beforeEach(async () => {
  dir = await testFolder(inject('testRun'));
  lock = join(dir, 'thing.lock');
});
afterEach(async () => {
  for (const kill of killed.splice(0)) kill();
  await rm(dir, { recursive: true, force: true });
});

/** A process that wants the lock and, once it has it, never lets go of it. */
function wantLock() {
  const script = `
    import { withFileLock } from '${new URL('./process-file.ts', import.meta.url)}';
    await withFileLock(process.argv[1], () => new Promise(() => setInterval(() => {}, 1000)));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, lock]);
  killed.push(() => child.kill('SIGKILL'));
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

/** Those that say whose they are: one whose process is killed before that is left alone. */
async function tickets(): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => name.startsWith('thing.lock.'));
  const said = names.map((name) => readFile(join(dir, name), 'utf8').catch(() => ''));
  return (await Promise.all(said)).filter((text) => text !== '');
}

test('tickets of processes that were killed are removed, those of living ones are not', async () => {
  const endHolder = wantLock();
  await expect.poll(() => readdir(dir)).toContain('thing.lock');
  const [endNext, endOther] = [wantLock(), wantLock()];
  await expect.poll(tickets).toHaveLength(3);
  await endOther();
  await endHolder();
  // The one that is left has the lock now, and its own ticket.
  await expect.poll(tickets).toHaveLength(1);
  await endNext();
  await withFileLock(lock, async () => undefined);
  expect(await readdir(dir)).toEqual([]);
});

test('a ticket that is being written is left alone', async () => {
  const name = 'thing.lock.00000000-0000-4000-8000-000000000000';
  await writeFile(join(dir, name), '');
  await withFileLock(lock, async () => undefined);
  expect(await readdir(dir)).toEqual([name]);
});

test('a lock is kept while its holder lives, and taken over from one that was killed', async () => {
  const kill = wantLock();
  await expect.poll(() => readdir(dir)).toContain('thing.lock');
  let got = false;
  const wanted = withFileLock(lock, async () => {
    got = true;
  });
  await expect.poll(tickets).toHaveLength(2);
  expect(got).toBe(false);
  await kill();
  await wanted;
  expect(got).toBe(true);
});

test('a process is itself only: neither another of its number nor one that has ended', async () => {
  const us = await ownIdentity();
  expect(await isAlive(us)).toBe(true);
  expect(await isAlive(`${process.pid} 1 ${'0'.repeat(36)}`)).toBe(false);
  expect(await isAlive('')).toBe(false);

  // The inner process is never waited for, as happens to children of a process that is stopped.
  // The shell that knows of it has to be gone before it ends, or might take note of that.
  const parent = spawn('/bin/sh', [
    '-c',
    `sleep 1000 & echo $!; exec sh -c 'echo; exec sleep 1000'`,
  ]);
  killed.push(() => parent.kill('SIGKILL'));
  let said = '';
  parent.stdout.on('data', (part) => (said += part));
  await expect.poll(() => said).toMatch(/\n\n$/);
  const pid = Number.parseInt(said, 10);
  const child = await identify(pid);
  expect(child).toBeDefined();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(child ?? '')).toBe(false);
  expect(() => process.kill(pid, 0)).not.toThrow();
});
