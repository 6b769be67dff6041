import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../src/kernel/db/embedded.ts';
import { migrate } from '../src/kernel/db/migrate.ts';
import { signedIn } from '../src/kernel/db/process-file.ts';

const PREFIX = 'archipay-test-';

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

/** A server of the test's own, with crash safety on, for tests that take the database down. */
export async function testCluster({ durable = true } = {}): Promise<TestCluster> {
  const dir = await mkdtemp(join(tmpdir(), PREFIX));
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
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const dir of names.map((name) => join(tmpdir(), name))) {
    if ((await signedIn(join(dir, 'users'))) > 0 || (await isRecent(dir))) continue;
    killServer(dir);
    // One that another user left is that user's to remove.
    await rm(dir, { recursive: true, force: true }).catch(() => {});
  }
}

/** A run that is just starting has not signed in yet. */
async function isRecent(dir: string): Promise<boolean> {
  const made = await stat(dir).catch(() => undefined);
  return made !== undefined && performance.timeOrigin + performance.now() - made.mtimeMs < 60_000;
}
