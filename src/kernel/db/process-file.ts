import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from './run-tool.ts';

/**
 * Files that belong to a process and mean nothing once it is gone, however it went. A process id
 * alone will not do: after a restart of the machine or container the same number is somebody else.
 */

/** Runs `work` while no other process holds `path`. A lock whose holder died is taken over. */
export async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const ticket = `${path}.${randomUUID()}`;
  await writeFile(ticket, await identify(process.pid), { mode: 0o600 });
  try {
    const deadline = performance.now() + 180_000;
    // A hard link appears at once and with its content, so nobody ever reads a half-written lock.
    while (!(await linked(ticket, path))) {
      if (performance.now() > deadline) throw new Error(`Gave up waiting for the lock ${path}`);
      if (!(await removeDead(path))) await sleep(25);
    }
    try {
      return await work();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    await rm(ticket, { force: true });
  }
}

/** Signs this process in as a user of `folder`. */
export async function signIn(folder: string): Promise<{ signOut(): Promise<void> }> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  await writeFile(path, await identify(process.pid), { mode: 0o600 });
  return { signOut: () => rm(path, { force: true }) };
}

/** How many living processes are signed in; the entries of dead ones are removed. */
export async function signedIn(folder: string): Promise<number> {
  const entries = await readdir(folder).catch(() => []);
  const living = await Promise.all(
    entries.map(async (entry) => !(await removeDead(join(folder, entry)))),
  );
  return living.filter(Boolean).length;
}

async function linked(ticket: string, path: string): Promise<boolean> {
  try {
    await link(ticket, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Answers whether the file is gone now. */
async function removeDead(path: string): Promise<boolean> {
  const holder = await readFile(path, 'utf8').catch(() => undefined);
  if (holder === undefined) return true;
  if ((await identify(Number.parseInt(holder, 10))) === holder) return false;

  // Two processes may find the same dead holder: only the one whose rename caught it removes it.
  const aside = `${path}.${randomUUID()}`;
  if (!(await renamed(path, aside))) return true;
  const caught = await readFile(aside, 'utf8').catch(() => holder);
  if (caught === holder) await rm(aside, { force: true });
  else await linked(aside, path).finally(() => rm(aside, { force: true }));
  return caught === holder;
}

async function renamed(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    () => false,
  );
}

/** The process and when it began, or the bare number where there is no such process any more. */
async function identify(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    // The command name, in parentheses, may hold spaces; the start time is the 20th field after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return started === undefined ? String(pid) : `${pid} ${started} ${boot.trim()}`;
  }
  if (process.platform === 'win32') return isRunning(pid) ? `${pid} running` : String(pid);
  const started = await outputOf('ps', ['-o', 'lstart=', '-p', String(pid)]);
  return started === '' ? String(pid) : `${pid} ${started}`;
}

/** Whether there is such a process, be it somebody else's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
