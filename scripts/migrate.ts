import { loadConfig } from '../src/config.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { migrate, planMigrations } from '../src/kernel/db/migrate.ts';

/**
 * Brings the configured database up to date. The service does the same whenever it starts, unless
 * MIGRATE=off. `--plan` only says what would be applied.
 */

const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR } = loadConfig(process.env);
const embedded =
  DATABASE_URL === undefined ? await startEmbedded({ dir: embeddedDir(DATA_DIR) }) : undefined;
try {
  const url = embedded?.url ?? DATABASE_DIRECT_URL ?? DATABASE_URL ?? '';
  const isPlan = process.argv.includes('--plan');
  const names = isPlan ? await planMigrations(url) : await migrate(url, { log: console.log });
  if (isPlan) for (const name of names) console.log(`Would apply migration ${name}`);
  if (names.length === 0) console.log('The database is up to date.');
} finally {
  await embedded?.stop();
}
