import { type App, createApp } from '../src/app/app.ts';
import { loadSecrets } from '../src/app/secrets-file.ts';
import { loadClock } from '../src/app/service-state.ts';
import { type Config, loadConfig, usesSandbox } from '../src/config.ts';
import { type Clock, createClock } from '../src/kernel/clock.ts';
import { openDatabase } from '../src/kernel/db/db.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { createLog } from '../src/kernel/log.ts';

/** Does something with the parts of the service, beside the running one or without it; no schema changes. */
export async function besideService(work: (app: App) => Promise<void>): Promise<void> {
  const config = loadConfig({ ...process.env, ROLE: 'api' });
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded({ dir: embeddedDir(config.DATA_DIR) });
  const databaseUrl = config.DATABASE_URL ?? embedded?.url ?? '';
  try {
    const secrets = await loadSecrets(config);
    const clock = await clockOf(config, databaseUrl);
    const app = await createApp({ config, secrets, databaseUrl, clock, log: createLog('warn') });
    try {
      await app.kernel.jobs.open();
      await work(app);
    } finally {
      await app.close();
    }
  } catch (error) {
    if ((error as { code?: string }).code !== '42P01') throw error;
    complain('The database is of another version: start the service, or run npm run migrate.');
  } finally {
    await embedded?.stop();
  }
}

/** As far ahead as the sandbox has moved it. */
async function clockOf(config: Config, databaseUrl: string): Promise<Clock> {
  if (!usesSandbox(config)) return createClock();
  const { db, close } = openDatabase(config.DATABASE_DIRECT_URL ?? databaseUrl, { max: 1 });
  try {
    return await loadClock(db, true);
  } finally {
    await close();
  }
}

/** Says what is wrong, and has the command end with 1. */
export function complain(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

/** Money is bigint, which JSON has no word for. */
export function printJson(value: unknown): void {
  console.log(
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2),
  );
}

/** Rows under their title, or that there are none. */
export function printTable(title: string, rows: readonly object[]): void {
  console.log(`${title}: ${rows.length === 0 ? 'nothing' : ''}`);
  if (rows.length > 0) console.table(rows);
}
