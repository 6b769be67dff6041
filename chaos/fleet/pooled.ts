import { embeddedDir, startEmbedded } from '#embedded/embedded.ts';
import { transactionPooler } from '#test/pooler.ts';

/** A database that the service reaches through a pooler. */
export interface Pooled {
  /** Settings of the processes. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const LOOK_MS = 100;

/**
 * A PostgreSQL of the run's own, behind a pooler in transaction mode. It is restarted after each kill, as
 * an operator's supervisor would, since no process of the service does.
 */
export async function startPooled(folder: string): Promise<Pooled> {
  const server = await startEmbedded({ dir: embeddedDir(folder) });
  const pooler = await transactionPooler(server.url);
  const reviving = setInterval(() => void server.revive().catch(() => undefined), LOOK_MS);
  return {
    env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url },
    async stop() {
      clearInterval(reviving);
      pooler.close();
      await server.stop();
    },
  };
}
