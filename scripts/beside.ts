import { type App, createApp } from '../src/app/app.ts';
import { loadClock } from '../src/app/service-state.ts';
import { loadSecrets } from '../src/app/start/secrets-file.ts';
import { type Clock, createClock } from '../src/kernel/clock.ts';
import { type Config, usesSandbox } from '../src/kernel/config/config.ts';
import { openDatabase } from '../src/kernel/db/db.ts';
import { createLog } from '../src/kernel/log.ts';
import { operate } from './operate.ts';

/** Runs work with the parts of the service, beside the running one or without it; it changes no schema. */
export async function besideService(work: (app: App) => Promise<void>): Promise<void> {
  await operate(
    async ({ config, url, directUrl }) => {
      const secrets = await loadSecrets(config);
      const clock = await clockOf(config, directUrl);
      const log = createLog('warn');
      const app = await createApp({ config, secrets, databaseUrl: url, clock, log });
      try {
        await work(app);
      } finally {
        await app.close();
      }
    },
    { env: { ...process.env, ROLE: 'api' } },
  );
}

/** With the sandbox's offset. */
async function clockOf(config: Config, url: string): Promise<Clock> {
  if (!usesSandbox(config)) return createClock();
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    return await loadClock(db, true);
  } finally {
    await close();
  }
}

/** Money is bigint, which JSON lacks. */
export function printJson(value: unknown): void {
  console.log(
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2),
  );
}

/** Rows under their title, or a line that there are none. */
export function printTable(title: string, rows: readonly object[]): void {
  console.log(`${title}: ${rows.length === 0 ? 'nothing' : ''}`);
  if (rows.length > 0) console.table(rows);
}
