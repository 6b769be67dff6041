import { createApp } from '../src/app/app.ts';
import { loadSecrets } from '../src/app/secrets-file.ts';
import { loadConfig } from '../src/config.ts';
import { createClock } from '../src/kernel/clock.ts';
import { run } from '../src/kernel/db/db.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { migrate } from '../src/kernel/db/migrate.ts';
import { createLog } from '../src/kernel/log.ts';

/**
 * What waits, what nobody tries any more, and how to try it again, beside the running service:
 *
 *   npm run jobs                       lists queues, dead letters and stalled flows
 *   npm run jobs -- redrive <queue>    gives the dead letters of that queue new attempts
 *   npm run jobs -- resume <flow>      lets a stalled flow try its state again
 */

const [command = 'list', name = ''] = process.argv.slice(2);
const config = loadConfig({ ...process.env, ROLE: 'api' });
const embedded = config.DATABASE_URL
  ? undefined
  : await startEmbedded({ dir: embeddedDir(config.DATA_DIR) });
const databaseUrl = config.DATABASE_URL ?? embedded?.url ?? '';
await migrate(databaseUrl, { log: console.log });
const app = await createApp({
  config,
  secrets: await loadSecrets(config),
  databaseUrl,
  clock: createClock(),
  log: createLog('warn'),
});
const { jobs, sagas, db } = app.kernel;
try {
  await jobs.open();
  if (command === 'list') await list();
  else if (command === 'redrive' && name !== '') await redrive();
  else if (command === 'resume' && name !== '') await resume();
  else fault('Usage: npm run jobs [-- redrive <queue> | resume <flow>]');
} finally {
  await app.close();
  await embedded?.stop();
}

async function list(): Promise<void> {
  const { queues } = await jobs.stats();
  const dead = await jobs.deadLetters();
  const stalled = await run<Stalled>(
    db,
    `select id, state, stalled_at, last_error from sagas
     where stalled_at is not null and not finished order by stalled_at`,
    [],
  );
  console.log(queues.length === 0 ? 'Nothing waits.' : 'Unfinished jobs:');
  if (queues.length > 0) console.table(queues);
  console.log(dead.length === 0 ? 'No dead letters.' : 'Dead letters, newest first:');
  for (const { name: queue, attempts, died_at, error, payload } of dead)
    console.log(`  ${died_at} ${queue} after ${attempts}: ${error} ${JSON.stringify(payload)}`);
  console.log(stalled.length === 0 ? 'No stalled flows.' : 'Stalled flows:');
  for (const { id, state, stalled_at, last_error } of stalled)
    console.log(`  ${stalled_at} ${id} in ${state}: ${last_error}`);
}

interface Stalled {
  readonly id: string;
  readonly state: string;
  readonly stalled_at: string;
  readonly last_error: string | null;
}

async function redrive(): Promise<void> {
  const count = await jobs.redrive(name);
  if (count === 0) fault(`${name} has no dead letters.`);
  else console.log(`${count} jobs of ${name} will be tried again.`);
}

async function resume(): Promise<void> {
  if (await sagas.resume(db, name)) console.log(`${name} goes on.`);
  else fault(`${name} is not stalled.`);
}

function fault(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
