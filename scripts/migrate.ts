import { loadConfig } from '../src/config.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { migrate } from '../src/kernel/db/migrate.ts';

/** Brings the configured database up to date. The service does the same whenever it starts. */

const { DATABASE_URL, DATA_DIR } = loadConfig(process.env);
const embedded =
  DATABASE_URL === undefined ? await startEmbedded({ dir: embeddedDir(DATA_DIR) }) : undefined;
try {
  const done = await migrate(embedded?.url ?? DATABASE_URL ?? '', { log: console.log });
  if (done.length === 0) console.log('The database is up to date.');
} finally {
  await embedded?.stop();
}
