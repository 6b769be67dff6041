import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { openDatabase } from '#kernel/db/db.ts';
import { startEmbedded } from '#kernel/db/embedded.ts';
import { keepRunning } from '#kernel/db/keeper.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { endAll, inTime } from '#kernel/ending.ts';
import { createLog, type Logger } from '#kernel/log.ts';
import { type App, createApp } from './app.ts';
import { type Config, usesSandbox } from './config.ts';
import { greet } from './greeting.ts';
import { loadSecrets } from './secrets-file.ts';
import { seed } from './seed.ts';
import { loadClock } from './service-state.ts';
import { startTracing } from './tracing.ts';

const GRACE_MS = 15_000;
const STARTING_MS = 5000;
const TRACES_MS = 1000;

/** Starts everything the configured role needs, and ends it again when asked to, also meanwhile. */
export async function runService(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL);
  const begun: Begun = {};
  const starting = start(config, log, begun);
  let asked = false;
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= end(begun, log));
  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err, signal }) => {
    asked = true;
    if (err) log.fatal({ err }, 'unforeseen, stopping');
    else log.info({ signal }, 'stopping');
    // Half a start is hard to end.
    await inTime(
      starting.catch(() => undefined),
      STARTING_MS,
    );
    await stop();
  });
  const app = await starting.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  if (!asked) greet(config, app);
}

/** What there is to end, as far as the start has come. */
interface Begun {
  app?: App;
  database?: Awaited<ReturnType<typeof openConfigured>>;
  stopTracing?: () => Promise<void>;
}

async function start(config: Config, log: Logger, begun: Begun): Promise<App> {
  begun.stopTracing = await startTracing(config);
  const secrets = await loadSecrets(config);
  const database = await openConfigured(config, log);
  begun.database = database;
  await migrate(database.url);
  const app = await createApp({
    config,
    secrets,
    databaseUrl: database.url,
    clock: await clockOf(config, database.url),
    log,
  });
  begun.app = app;
  await seed(app.kernel, app.features.afterUser);
  await app.start();
  // In the background: the first request need not wait for it, and nobody waits for the start.
  app.evm.warm();
  return app;
}

/** The database outlives us where it is not stopped, so that it is stopped whatever hangs before. */
async function end({ app, database, stopTracing }: Begun, log: Logger): Promise<void> {
  // What could not be ended is in the log, and ends with this process.
  await app?.close().catch(() => undefined);
  const traces = { what: 'the traces', ms: TRACES_MS, end: () => stopTracing?.() };
  await endAll([traces], log).catch(() => undefined);
  await endAll([{ what: 'the database', ms: GRACE_MS, end: () => database?.stop() }], log);
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
