import { mkdir, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  countProcesses,
  makePrivate,
  registerProcess,
  withFileLock,
} from '#kernel/db/process-file.ts';
import { outputOf } from '#kernel/db/run-tool.ts';
import {
  admit,
  type EmbeddedPasswords,
  passwordsIn,
  provide,
  SUPERUSER,
  urlsAt,
} from './embedded-roles.ts';
import { postgresSettings } from './embedded-settings.ts';
import { findTools, type Tools } from './embedded-tools.ts';

const MAJOR = '18';

export interface EmbeddedDatabaseOptions {
  /** The folder of cluster, passwords, port and log. Created if missing. */
  readonly dir: string;
  /** False gives up crash safety for speed, for throw-away databases only. */
  readonly durable?: boolean;
  readonly log?: (message: string) => void;
}

export interface Embedded {
  /** The application's database, as its owner, who is not a superuser. */
  readonly url: string;
  /** The same server as superuser, for maintenance and for destructive tests. */
  readonly adminUrl: string;
  /** Whether the server was running already, left behind by a process that was killed. */
  readonly adopted: boolean;
  /**
   * Restarts the server if it has died, and answers whether it had. Any number of processes may call it. Throws
   * if another program has taken its port meanwhile, by which all processes know it.
   */
  revive(): Promise<boolean>;
  /** Ends the server unless another living process uses it too. Fast shutdown, safe to repeat. */
  stop(): Promise<void>;
}

/** The folder of the embedded server's files below DATA_DIR. */
export const embeddedDir = (dataDir: string): string => join(dataDir, 'postgres');

interface Cluster {
  readonly dir: string;
  readonly data: string;
  readonly passwords: EmbeddedPasswords;
  readonly durable: boolean;
  readonly tools: Tools;
}

/**
 * Starts a PostgreSQL from npm over `dir`, or joins the one that runs there already. The server is
 * in a session of its own: Ctrl-C reaches us first, and a killed process leaves it to the next one.
 */
export async function startEmbedded(options: EmbeddedDatabaseOptions): Promise<Embedded> {
  const { durable = true, log = () => {} } = options;
  await makePrivate(options.dir);
  const dir = await realpath(options.dir);
  const data = join(dir, 'cluster');
  const users = join(dir, 'users');
  const lock = join(dir, 'lock');

  return withFileLock(lock, async () => {
    const tools = await findTools(dir, data);
    const cluster = { dir, data, durable, tools, passwords: await passwordsIn(dir) };
    const fresh = (await readIfAny(join(data, 'PG_VERSION'))) === undefined;
    if (fresh) log('Creating the database');
    if (fresh) await create(cluster);
    await refuseOtherVersion(data);

    const running = await runningPort(data);
    const port = running ?? (await launch(cluster));
    const urls = urlsAt(port, cluster.passwords);
    await admit(port, cluster.passwords);
    await provide(urls.adminUrl, cluster.passwords);
    const { signOut } = await registerProcess(users);
    let ended = false;
    return {
      ...urls,
      adopted: running !== undefined,
      async revive() {
        const pid = Number.parseInt((await readIfAny(join(data, 'postmaster.pid'))) ?? '', 10);
        if (await isPostmaster(pid, data)) return false;
        return withFileLock(lock, async () => {
          if (ended || (await runningPort(data)) !== undefined) return false;
          if ((await launch(cluster)) === port) return true;
          await halt(cluster);
          throw new Error(`The port of the database, ${port}, is another program's now`);
        });
      },
      stop: () =>
        withFileLock(lock, async () => {
          ended = true;
          await signOut();
          if ((await countProcesses(users)) === 0 && (await runningPort(data)) !== undefined)
            await halt(cluster);
        }),
    };
  });
}

/**
 * Ends a server over `dir` that a killed process left running. Answers false,
 * and leaves it alone, while a living process uses it.
 */
export async function stopLeftover(dir: string): Promise<boolean> {
  const data = join(dir, 'cluster');
  if ((await readIfAny(join(data, 'PG_VERSION'))) === undefined) return true;
  return withFileLock(join(dir, 'lock'), async () => {
    if ((await countProcesses(join(dir, 'users'))) > 0) return false;
    const folder = await realpath(dir);
    if ((await runningPort(join(folder, 'cluster'))) === undefined) return true;
    await halt({ data, tools: await findTools(folder, data) });
    return true;
  });
}

/** Made under another name and renamed when complete, so that an interrupted start leaves no half. */
async function create({ dir, data, durable, tools, passwords }: Cluster): Promise<void> {
  const part = `${data}.part`;
  const passwordFile = join(dir, 'password.part');
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  await writeFile(passwordFile, passwords.superuser, { mode: 0o600 });
  await tools.give(part);
  await tools.give(passwordFile);
  const made = await tools.run('initdb', [
    `--pgdata=${part}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  await rm(passwordFile, { force: true });
  if (!made.ok) throw new Error(`PostgreSQL could not create its files: ${made.output}`);
  await rename(part, data);
}

async function refuseOtherVersion(data: string): Promise<void> {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  if (version !== MAJOR)
    throw new Error(`${data} was written by PostgreSQL ${version}, this is PostgreSQL ${MAJOR}`);
}

/**
 * The port of the server that runs over `data`, once it accepts connections. Undefined
 * if none runs; a pid file that only a crash can have left is removed, or it would block the next start.
 */
async function runningPort(data: string): Promise<number | undefined> {
  const path = join(data, 'postmaster.pid');
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const lines = (await readIfAny(path))?.split('\n');
    if (lines === undefined) return undefined;
    const [pid, , , port, , , , status] = lines;
    if (!(await isPostmaster(Number(pid), data))) {
      await rm(path, { force: true });
      return undefined;
    }
    if (status?.trim() === 'ready') return Number(port);
    await sleep(10);
  }
  throw new Error(`The PostgreSQL that runs over ${data} neither gets ready nor ends`);
}

async function isPostmaster(pid: number, data: string): Promise<boolean> {
  // A postmaster works in its data folder, which distinguishes it from a process that got its old number.
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return folder === data;
  }
  if (process.platform === 'win32')
    return (await outputOf('tasklist', ['/fi', `PID eq ${pid}`])).includes('postgres');
  return (await outputOf('ps', ['-o', 'args=', '-p', String(pid)])).includes('postgres');
}

/** Starts the server and answers its port: its last one, or another if that is taken. */
async function launch(cluster: Cluster): Promise<number> {
  const { dir, data, durable, tools } = cluster;
  const logFile = join(dir, 'server.log');
  await tools.give(data);
  const deadline = performance.now() + 20_000;
  for (;;) {
    const port = await freePort(Number(await readIfAny(join(dir, 'port'))));
    await writeFile(join(dir, 'port'), String(port));
    await writeFile(join(data, 'postgresql.conf'), postgresSettings(port, durable));
    // Two are kept: it must not grow for ever, nor hide why the last server ended.
    if (await readIfAny(logFile)) await rename(logFile, join(dir, 'server.old.log'));
    await writeFile(logFile, '', { mode: 0o600 });
    await tools.give(logFile);
    const args = ['start', '-w', '-s', '-t', '120', '-D', data, '-l', logFile];
    const started = await tools.run('pg_ctl', args);
    if (started.ok) return port;

    // Another program took the port, or backends of a killed server are still ending,
    // or it was killed itself: then it gives no reason.
    const trouble = (await readIfAny(logFile)) || started.output;
    const passing = /Address already in use|shared memory block|could not create any TCP/;
    const isPassing = passing.test(trouble) || !/FATAL|PANIC|error/i.test(trouble);
    if (!isPassing || performance.now() > deadline)
      throw new Error(`PostgreSQL does not start: ${trouble}`);
    await sleep(100);
  }
}

async function freePort(wanted: number): Promise<number> {
  return (wanted > 0 ? await tryPort(wanted) : undefined) ?? (await tryPort(0)) ?? 0;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const got = typeof address === 'object' ? address?.port : undefined;
      server.close(() => resolve(got));
    });
  });
}

async function halt({ data, tools }: Pick<Cluster, 'data' | 'tools'>): Promise<void> {
  const stopped = await tools.run('pg_ctl', ['stop', '-s', '-m', 'fast', '-t', '120', '-D', data]);
  // It may have ended by itself before the signal, as after a crash.
  if (!stopped.ok && (await runningPort(data)) !== undefined)
    throw new Error(`PostgreSQL does not stop: ${stopped.output}`);
}

async function readIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
