import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { openDatabase } from '#kernel/db/db.ts';
import { startEmbedded } from '#kernel/db/embedded.ts';
import { keepRunning } from '#kernel/db/keeper.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { createLog, type Logger } from '#kernel/log.ts';
import { type App, createApp } from './app.ts';
import { type Config, usesSandbox } from './config.ts';
import { greet } from './greeting.ts';
import { loadSecrets } from './secrets-file.ts';
import { seed } from './seed.ts';
import { loadClock } from './service-state.ts';
import { startTracing } from './tracing.ts';

const GRACE_MS = 15_000;

/** Starts everything the configured role needs, and ends it again when asked to. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const stopTracing = await startTracing(config);
  const secrets = await loadSecrets(config);
  const database = await openConfigured(config, log);
  let app: App | undefined;
  const stop = async () => {
    await app?.close();
    await database.stop();
    await stopTracing();
  };
  try {
    await migrate(database.url);
    app = await createApp({
      config,
      secrets,
      databaseUrl: database.url,
      clock: await clockOf(config, database.url),
      log,
    });
    await seed(app.kernel, app.features.afterUser);
    await app.start();
    // In the background: the first request need not wait for it, and nobody waits for the start.
    app.evm.warm();
  } catch (error) {
    await stop();
    throw error;
  }
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'unforeseen, stopping');
    else log.info({ signal }, 'stopping');
    await stop();
  });
  greet(config, app);
}

/** The configured PostgreSQL, or our own in DATA_DIR. */
async function openConfigured(
  config: Config,
  log: Logger,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL, stop: async () => undefined };
  const server = await startEmbedded({ dir: join(config.DATA_DIR, 'postgres') });
  const keeper = keepRunning(server, log);
  return {
    url: server.url,
    stop() {
      keeper.stop();
      return server.stop();
    },
  };
}

async function clockOf(config: Config, url: string) {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    return await loadClock(db, usesSandbox(config));
  } finally {
    await close();
  }
}
