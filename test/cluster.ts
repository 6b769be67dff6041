import { inject } from 'vitest';
import { type Embedded, startEmbedded } from '#embedded/embedded.ts';
import { migrate } from '../src/kernel/db/migrate.ts';
import { clusterFolder, killServer, removeFolder } from './folders.ts';

export interface TestCluster {
  /** The application's database, migrated. May change when the server is started again. */
  url(): string;
  /** The same server as superuser. */
  adminUrl(): string;
  /** Takes the server down at once, as a crash would: nothing is flushed, every session is cut. */
  crash(): void;
  /** Starts the server after `crash`; it recovers from its log first. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A server of the test's own, with crash safety on, for tests that take the database down. */
export async function testCluster({ durable = true } = {}): Promise<TestCluster> {
  const dir = await clusterFolder(inject('testRun'));
  let server: Embedded = await startEmbedded({ dir, durable });
  await migrate(server.url);
  return {
    url: () => server.url,
    adminUrl: () => server.adminUrl,
    crash: () => killServer(dir),
    restart: async () => {
      const before = server;
      server = await startEmbedded({ dir, durable });
      await before.stop();
    },
    close: async () => {
      killServer(dir);
      await server.stop();
      await removeFolder(dir);
    },
  };
}
