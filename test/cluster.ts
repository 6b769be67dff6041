import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../src/kernel/db/embedded.ts';
import { migrate } from '../src/kernel/db/migrate.ts';
import { signedIn } from '../src/kernel/db/process-file.ts';

const PREFIX = 'archipay-test-';
const MEMORY = '/dev/shm';
const MEMORY_NEEDED = 4 * 1024 ** 3;

export interface TestCluster {
  /** The application's database, migrated. May change when the server is started again. */
  url(): string;
  /** The same server as superuser. */
  adminUrl(): string;
  /** Takes the server down at once, as a crash would: nothing is flushed, every session is cut. */
  crash(): Promise<void>;
  /** Starts the server after `crash`; it recovers from its log first. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A new folder for a server's files: in memory where there is plenty, since creating a database
 * takes 40 times as long on some disks; on disk for a server whose crash safety is put to the test.
 */
export async function testFolder(durable: boolean): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  const roomy = memory !== undefined && memory.bavail * memory.bsize > MEMORY_NEEDED;
  return mkdtemp(join(roomy && !durable ? MEMORY : tmpdir(), PREFIX));
}

/** A server of the test's own, with crash safety on, for tests that take the database down. */
export async function testCluster({ durable = true } = {}): Promise<TestCluster> {
  const dir = await testFolder(durable);
  let server: Embedded = await startEmbedded({ dir, durable });
  await migrate(server.url);
  return {
    url: () => server.url,
    adminUrl: () => server.adminUrl,
    crash: async () => killServer(dir),
    restart: async () => {
      const before = server;
      server = await startEmbedded({ dir, durable });
      await before.stop();
    },
    close: async () => {
      killServer(dir);
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** An immediate shutdown of the server over `dir`, if there is one. */
export function killServer(dir: string): void {
  try {
    const file = readFileSync(join(dir, 'cluster', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(file, 10), 'SIGQUIT');
  } catch {
    // It is down already, or was never up.
  }
}

/** Removes what test runs left behind that were killed before they could clean up. */
export async function sweep(): Promise<void> {
  for (const dir of [...(await testFoldersIn(MEMORY)), ...(await testFoldersIn(tmpdir()))]) {
    if ((await signedIn(join(dir, 'users'))) > 0 || (await isRecent(dir))) continue;
    killServer(dir);
    // One that another user left is that user's to remove.
    await rm(dir, { recursive: true, force: true }).catch(() => {});
  }
}

async function testFoldersIn(place: string): Promise<string[]> {
  const names = await readdir(place).catch(() => []);
  return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(place, name));
}

/** A run that is just starting has not signed in yet. */
async function isRecent(dir: string): Promise<boolean> {
  const made = await stat(dir).catch(() => undefined);
  return made !== undefined && performance.timeOrigin + performance.now() - made.mtimeMs < 60_000;
}
