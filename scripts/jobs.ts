import { createApp } from '../src/app/app.ts';
import { needsPerson, openWork } from '../src/app/open-work.ts';
import { loadSecrets } from '../src/app/secrets-file.ts';
import { type Story, storiesOf } from '../src/app/work-story.ts';
import { loadConfig } from '../src/config.ts';
import { createClock } from '../src/kernel/clock.ts';
import { embeddedDir, startEmbedded } from '../src/kernel/db/embedded.ts';
import { createLog } from '../src/kernel/log.ts';

/**
 * What is not finished, what is in doubt, and how to try it again, beside the running service. It
 * changes no schema, and ends with 1 when something is dead or waits for a person.
 */
const USAGE = `Usage: npm run jobs [-- <what> ...] [--json]
  (nothing)               queues, dead letters, open effects and flows, inbound events
  show <id>               the whole story of one: intent, calls, look-ups, postings, transactions
  drive <id>              tries it again now, also where it has stalled
  redrive <queue>         gives the dead letters of that queue new attempts
  replay <source> <id>    has an inbound event handled again`;

const words = process.argv.slice(2).filter((word) => word !== '--json');
const isJson = process.argv.includes('--json');
const [command = 'list', name = '', second = ''] = words;
const config = loadConfig({ ...process.env, ROLE: 'api' });
const embedded = config.DATABASE_URL
  ? undefined
  : await startEmbedded({ dir: embeddedDir(config.DATA_DIR) });
const app = await createApp({
  config,
  secrets: await loadSecrets(config),
  databaseUrl: config.DATABASE_URL ?? embedded?.url ?? '',
  clock: createClock(),
  log: createLog('warn'),
});
const { kernel, features } = app;
const { db, jobs, effects, inboxes, sagas } = kernel;
try {
  await jobs.open();
  if (command === 'list') await list();
  else if (command === 'show' && name !== '') await show();
  else if (command === 'drive' && name !== '') await drive();
  else if (command === 'redrive' && name !== '') await redrive();
  else if (command === 'replay' && second !== '') await replay();
  else fault(USAGE);
} catch (error) {
  if ((error as { code?: string }).code === '42P01')
    fault('The database is of another version: start the service, or run npm run migrate.');
  else throw error;
} finally {
  await app.close();
  await embedded?.stop();
}

async function list(): Promise<void> {
  const work = await openWork(kernel);
  if (isJson) print(work);
  else {
    table('Unfinished jobs', work.queues);
    table('In doubt: calls whose outcome is unknown', work.effects);
    table('Inbound events not handled', work.inbox);
    table('Flows', work.flows);
    table('Waiting for a person', work.stalled);
    table(
      'Dead letters, newest first',
      work.dead_letters.map(({ payload, ...letter }) => ({
        ...letter,
        payload: JSON.stringify(payload),
      })),
    );
  }
  if (needsPerson(work)) process.exitCode = 1;
}

async function show(): Promise<void> {
  const stories = await storiesOf(kernel, effects.kinds(), name);
  if (stories.length === 0) fault(`Nothing is called ${name}.`);
  else print(stories);
}

async function drive(): Promise<void> {
  const stories = await storiesOf(kernel, effects.kinds(), name);
  if (stories.length === 0) fault(`Nothing is called ${name}.`);
  for (const story of stories) print(await driveOne(story));
}

async function driveOne(story: Story): Promise<object> {
  if (story.what === 'flow') {
    const { id } = story.flow;
    await sagas.resume(db, id);
    return { flow: id, ...(await sagas.drive(id, { patienceMs: 30_000 })) };
  }
  if (story.what === 'inbox') {
    const { source, id } = story.received;
    const inbox = features.inboxes.find((one) => one.source === source);
    if (!inbox) throw new Error(`No inbox of the name ${source}`);
    return { source, id, handled: await inboxes.handleNow(inbox, id) };
  }
  const { kind, id } = story.effect;
  const effect = effects.kinds().find((one) => one.kind === kind);
  if (!effect) throw new Error(`No effects of the kind ${kind}`);
  // The job goes on where this try comes to nothing.
  await effects.wake(db, kind, id);
  return { kind, id, ...(await effects.drive(effect, id)) };
}

async function redrive(): Promise<void> {
  const count = await jobs.redrive(name);
  if (count === 0) fault(`${name} has no dead letters.`);
  else console.log(`${count} jobs of ${name} will be tried again.`);
}

async function replay(): Promise<void> {
  if (await inboxes.replay(db, name, second)) console.log(`${name} ${second} is handled again.`);
  else fault(`${name} told nothing of the name ${second}.`);
}

/** Money is bigint, which JSON has no word for. */
function print(value: unknown): void {
  console.log(
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2),
  );
}

function table(title: string, rows: readonly object[]): void {
  console.log(`${title}: ${rows.length === 0 ? 'nothing' : ''}`);
  if (rows.length > 0) console.table(rows);
}

function fault(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
