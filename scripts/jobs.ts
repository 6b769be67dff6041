import type { App } from '../src/app/app.ts';
import { kindsOf } from '../src/app/operate/back-office-sources.ts';
import { openWork } from '../src/app/operate/open-work.ts';
import { storiesOf } from '../src/app/operate/work-story.ts';
import type { WorkHistory } from '../src/features/messaging/payments/payments.ts';
import { needsPerson } from '../src/features/operator/backoffice/backoffice.ts';
import { besideService, printJson, printTable } from './beside.ts';
import { complain } from './operate.ts';

/**
 * Lists unfinished work and calls in doubt, and tries them again, beside the running service. It changes no schema, and
 * ends with 1 if a job is dead or work waits for a person.
 */
const USAGE = `Usage: npm run jobs [-- <what> ...] [--json]
  (nothing)               queues, dead letters, open effects and flows, inbound events
  show <id>               the whole story of one: intent, calls, look-ups, postings, transactions
  drive <id>              tries it again now, also where it has stalled
  redrive <id>            gives that dead letter new attempts
  redrive <queue>         gives all dead letters of that queue new attempts
  replay <source> <id>    has an inbound event handled again
  help                    this`;

const words = process.argv.slice(2).filter((word) => word !== '--json');
const isJson = process.argv.includes('--json');
const [command = 'list', name = '', second = ''] = words;

/** The known commands, with their number of arguments; any other starts nothing. */
const NEEDED: Readonly<Record<string, number>> = {
  list: 0,
  show: 1,
  drive: 1,
  redrive: 1,
  replay: 2,
};
const given = [name, second].filter((word) => word !== '').length;

if (command === 'help') console.log(USAGE);
else if ((NEEDED[command] ?? Number.POSITIVE_INFINITY) > given) complain(USAGE);
else await besideService(carryOut);

async function carryOut(app: App): Promise<void> {
  if (command === 'list') await list(app);
  else if (command === 'show') await show(app);
  else if (command === 'drive') await drive(app);
  else if (command === 'redrive') await redrive(app);
  else await replay(app);
}

async function list({ kernel }: App): Promise<void> {
  const work = await openWork(kernel);
  if (isJson) printJson(work);
  else {
    printTable('Unfinished jobs', work.queues);
    printTable('In doubt: calls whose outcome is unknown, by kind', work.effects);
    printTable('In doubt: each of them, oldest first', work.in_doubt);
    printTable('Inbound events not handled', work.inbox);
    printTable('Flows', work.flows);
    printTable('Waiting for a person', work.stalled);
    printTable(
      'Waiting for a person: open for longer than usual',
      work.in_doubt.filter(({ is_overdue }) => is_overdue),
    );
    printTable('Waiting for a person: taken back twice', work.returned_twice);
    printTable('Waiting for a person: the other side reports another sum', work.discrepancies);
    printTable('Books that differ (GET /reconciliation/breaks)', work.breaks);
    printTable('Money that pays nothing (GET /idrtoken/payments)', work.unmatched);
    printTable(
      'Dead letters, newest first',
      work.dead_letters.map(({ payload, ...letter }) => ({
        ...letter,
        payload: JSON.stringify(payload),
      })),
    );
  }
  if (needsPerson(work)) process.exitCode = 1;
}

async function show(app: App): Promise<void> {
  const stories = await named(app);
  if (stories.length === 0) complain(`Nothing is called ${name}.`);
  else printJson(stories);
}

async function named({ kernel, features }: App): Promise<WorkHistory[]> {
  return storiesOf(kernel, await kindsOf(kernel, features), name);
}

async function drive(app: App): Promise<void> {
  const stories = await named(app);
  if (stories.length === 0) complain(`Nothing is called ${name}.`);
  for (const story of stories) printJson(await driveOne(app, story));
}

async function driveOne({ kernel, features }: App, story: WorkHistory): Promise<object> {
  const { db, effects, inboxes, sagas } = kernel;
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
  // The job continues if this try fails.
  await effects.wake(db, kind, id);
  return { kind, id, ...(await effects.drive(effect, id)) };
}

async function redrive({ kernel }: App): Promise<void> {
  const count = await kernel.jobs.redrive(name);
  if (count === 0) complain(`${name} is no dead letter, and no queue that has any.`);
  else console.log(`Will be tried again: ${count}.`);
}

async function replay({ kernel }: App): Promise<void> {
  if (await kernel.inboxes.replay(kernel.db, name, second))
    console.log(`${name} ${second} is handled again.`);
  else complain(`${name} has sent nothing of the name ${second}.`);
}
