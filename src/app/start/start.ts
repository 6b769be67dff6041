import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#kernel/clock.ts';
import { type Config, usesSandbox } from '#kernel/config/config.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { migrate, requireMigrated } from '#kernel/db/migrate.ts';
import { isDatabaseUnavailable } from '#kernel/db/sql-errors.ts';
import type { KernelSecrets } from '#kernel/kernel.ts';
import type { Logger } from '#kernel/log.ts';
import type { App } from '#src/app/app.ts';
import { loadClock } from '#src/app/service-state.ts';
import { databaseError } from './database-words.ts';

/** The address of the database, and its end if it is ours. */
export interface RunningDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

export interface Started {
  readonly app: App;
  readonly database: RunningDatabase;
}

export interface AppStartOptions {
  readonly secrets: KernelSecrets;
  readonly log: Logger;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** The maximum wait for an unreachable database, from its first failure on. */
  readonly patienceMs?: number;
}

const GIVE_UP_MS = 30_000;
const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 4000;

/**
 * Starts the service over its database, again if that goes away meanwhile: it may have been killed,
 * or be starting itself. A failed attempt leaves nothing behind.
 */
export async function startWithRetries(config: Config, options: AppStartOptions): Promise<Started> {
  const { log, signal, patienceMs = GIVE_UP_MS } = options;
  let deadline: number | undefined;
  for (let pause = PAUSE_FIRST_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    try {
      return await start(config, options);
    } catch (thrown) {
      signal.throwIfAborted();
      deadline ??= monotonicMs() + patienceMs;
      const error = databaseError(config.DATABASE_URL, thrown);
      if (!isUnavailable(thrown)) throw error;
      if (monotonicMs() + pause > deadline) throw givenUp(error, patienceMs);
      // In one line, since an operator with a misspelt address reads it several times.
      log.warn(
        { why: error instanceof Error ? error.message : error },
        'the database is away, the start is tried again',
      );
      await sleep(pause, undefined, { signal });
    }
  }
}

async function start(config: Config, { secrets, log, signal }: AppStartOptions): Promise<Started> {
  // The database starts in processes of its own while this one loads all the rest.
  const loading = loadApp();
  // Reported below, unless the database is missing as well.
  loading.catch(() => undefined);
  const database = await openConfigured(config, log);
  let app: App | undefined;
  try {
    signal.throwIfAborted();
    const direct = config.DATABASE_DIRECT_URL ?? database.url;
    if (config.MIGRATE === 'on') await migrate(direct);
    else await requireMigrated(direct);
    signal.throwIfAborted();
    const clock = await clockOf(config, database.url);
    const { createApp, seed } = await loading;
    app = await createApp({ config, secrets, databaseUrl: database.url, clock, log });
    await seed(app.kernel, app.features.afterUser);
    signal.throwIfAborted();
    await app.start();
    return { app, database };
  } catch (error) {
    // The relevant error is the cause of the failed start, not a failure to end its parts.
    const notUndone = (err: unknown) => log.warn({ err }, 'a start that failed was not undone');
    await app?.close().catch(notUndone);
    await database.stop().catch(notUndone);
    throw error;
  }
}

async function loadApp() {
  const [{ createApp }, { seed }] = await Promise.all([
    import('#src/app/app.ts'),
    import('#src/app/seed.ts'),
  ]);
  return { createApp, seed };
}

/** Also if a migration's error wraps it. */
const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof Error && isDatabaseUnavailable(error.cause));

const givenUp = (cause: unknown, ms: number): Error =>
  new Error(`${(cause as Error).message}, for ${ms / 1000} s`, { cause });

/** The configured PostgreSQL, or our own in DATA_DIR. */
async function openConfigured(config: Config, log: Logger): Promise<RunningDatabase> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL, stop: async () => undefined };
  // Not part of a production image, which has a database elsewhere.
  const [{ embeddedDir, startEmbedded }, { supervise }] = await Promise.all([
    import('#embedded/embedded.ts'),
    import('#embedded/supervisor.ts'),
  ]);
  const server = await startEmbedded({ dir: embeddedDir(config.DATA_DIR) });
  const supervisor = supervise(server, log);
  return {
    url: server.url,
    stop() {
      supervisor.stop();
      return server.stop();
    },
  };
}

async function clockOf(config: Config, url: string) {
  const pooled = config.DATABASE_DIRECT_URL !== undefined;
  const { db, close } = openDatabase(url, { max: 1, prepared: config.DB_PREPARED, pooled });
  try {
    return await loadClock(db, usesSandbox(config));
  } finally {
    await close();
  }
}
