import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf } from './run-tool.ts';

/**
 * Files that belong to a process and mean nothing once it is gone, however it went. A process id
 * alone will not do: after a restart of the machine or container the same number is another process.
 */

/** Runs `work` while no other process holds `path`. A lock whose holder died is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const ticket = `${path}.${randomUUID()}`;
  await writeFile(ticket, await ownIdentity(), { mode: 0o600 });
  try {
    const deadline = performance.now() + 180_000;
    // A hard link appears at once and with its content, so a half-written lock is never read.
    while (!(await linked(ticket, path))) {
      if (performance.now() > deadline) throw new Error(`Gave up waiting for the lock ${path}`);
      if (!(await removeDead(path))) await sleep(25);
    }
    try {
      await sweepTickets(path);
      return await work();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    await rm(ticket, { force: true });
  }
}

/** Tickets of processes that were killed while they waited or worked, which those cannot remove. */
async function sweepTickets(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.`;
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(prefix) && UUID.test(name.slice(prefix.length)),
  );
  await Promise.all(names.map((name) => removeTicket(join(folder, name))));
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function removeTicket(path: string): Promise<void> {
  const holder = await readFile(path, 'utf8').catch(() => '');
  // One that says nothing yet is being written.
  if (holder !== '' && !(await isAlive(holder))) await rm(path, { force: true });
}

/**
 * Makes a folder, and those above it that are missing, that no other user can read. As root they
 * may pass through: PostgreSQL runs as another user then, and would need root's rights to get in.
 */
export async function makePrivate(folder: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(folder);
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    // Node's own recursive mkdir never ends where a folder is there and takes none, as in /proc.
    if (code !== 'ENOENT' || above === folder || (await isFolder(above))) throw error;
    await makePrivate(above);
    await makePrivate(folder);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Signs this process in as a user of `folder`. */
export async function registerProcess(folder: string): Promise<{ signOut(): Promise<void> }> {
  await makePrivate(folder);
  const path = join(folder, randomUUID());
  await writeFile(path, await ownIdentity(), { mode: 0o600 });
  return { signOut: () => rm(path, { force: true }) };
}

/** How many living processes are signed in; the entries of dead ones are removed. */
export async function countProcesses(folder: string): Promise<number> {
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
  if (await isAlive(holder)) return false;

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

/** This process, as it signs its files. */
export const ownIdentity = async (): Promise<string> =>
  (await identify(process.pid)) ?? `${process.pid} unknown`;

/** Whether the process that was identified like that still runs: it, and no other of its number. */
export const isAlive = async (identity: string): Promise<boolean> =>
  (await identify(Number.parseInt(identity, 10))) === identity;

/**
 * The process and when it began; nothing where there is none. One that has ended and that its parent
 * has not taken note of yet is none: it does nothing any more. Throws where that cannot be seen,
 * because who is taken for dead loses its lock.
 */
export async function identify(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  if (process.platform === 'win32') return `${pid} running`;
  if (process.platform === 'linux') {
    const stat = await readIfAny(`/proc/${pid}/stat`);
    const boot = await readIfAny('/proc/sys/kernel/random/boot_id');
    // The command name, in parentheses, may hold spaces; state and start time come after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', started] = [fields[0], fields[19]];
    if (ENDED.test(state)) return undefined;
    return started === undefined ? `${pid} running` : `${pid} ${started} ${boot.trim()}`;
  }
  const output = await outputOf('ps', ['-o', 'state=,lstart=', '-p', String(pid)]);
  if (output === '' && isRunning(pid)) throw new Error(`Nothing is known of process ${pid}`);
  const [state = '', ...started] = output.split(/\s+/);
  return output === '' || ENDED.test(state) ? undefined : `${pid} ${started.join(' ')}`;
}
const ENDED = /^[ZXx]/;

const readIfAny = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  });

/** Whether there is such a process, also of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
