import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { gate } from '#test/waiting.ts';
import { createLog } from '../log.ts';
import { createInboxes, defineInbox, type Inbox } from './inbox.ts';
import { done, type Outcome, unknown } from './outcome.ts';

const bench = jobsBench();
const HOUR_MS = 3_600_000;

interface Hint {
  readonly status: string;
}

/** An inbox of one test's own, what it was handed, and what those who are asked say. */
async function open(over: Partial<Inbox<Hint, string>> = {}) {
  const handled: string[] = [];
  const inbox = defineInbox<Hint, string>({
    source: `sender-${randomUUID().slice(0, 8)}`,
    keptMs: 24 * HOUR_MS,
    async handle(_, { status }, { answer }) {
      handled.push(answer?.kind === 'done' ? `${status} ${answer.value}` : status);
      return 'taken';
    },
    ...over,
  });
  const jobs = bench.instance([]);
  const clock = bench.clock;
  const inboxes = createInboxes({ db: bench.db(), jobs, clock, log: createLog('silent') });
  inboxes.register([inbox]);
  await jobs.drain();
  const tell = (id: string, status: string) =>
    transact(bench.db(), (tx) => inboxes.receive(tx, inbox, id, { status }));
  const forward = async (ms: number) => {
    await bench.forward(jobs, ms);
    await jobs.drain();
  };
  const find = (id: string) => inboxes.find(bench.db(), inbox.source, id);
  return { inbox, inboxes, jobs, handled, tell, forward, find };
}

test('what is told is handled once, however often the sender tells it', async () => {
  const { jobs, handled, tell, find } = await open();
  const told = await Promise.all(Array.from({ length: 5 }, () => tell('e1', 'PAID')));
  expect(told.filter(Boolean)).toHaveLength(1);
  await jobs.drain();
  expect(await tell('e1', 'PAID')).toBe(false);
  await jobs.drain();
  expect(handled).toEqual(['PAID']);
  expect(await find('e1')).toMatchObject({ outcome: 'taken', receipts: 1 });
});

test('it counts when, and only when, the transaction commits that has taken it', async () => {
  const { inbox, inboxes, jobs, handled, find } = await open();
  const undone = transact(bench.db(), async (tx) => {
    await inboxes.receive(tx, inbox, 'e1', { status: 'PAID' });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await jobs.drain();
  expect(handled).toEqual([]);
  expect(await find('e1')).toBeUndefined();
});

test('a hint is asked about until there is an answer, and again each time it is told', async () => {
  const answers: Outcome<string>[] = [unknown('ETIMEDOUT'), done('seen'), done('gone')];
  const asked = async () => answers.shift() ?? done('silent');
  const { inbox, inboxes, handled, tell, forward } = await open({ again: true, ask: asked });
  await tell('tx-1', 'COMPLETED');
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(false);
  expect(await inboxes.stats(bench.db())).toMatchObject([{ source: inbox.source, open: 1 }]);
  await forward(HOUR_MS);
  expect(handled).toEqual(['COMPLETED seen']);
  expect(await tell('tx-1', 'CANCELLED')).toBe(true);
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(true);
  expect(handled).toEqual(['COMPLETED seen', 'CANCELLED gone']);
});

test('a hint that is told again while it is asked about is asked about again', async () => {
  let late: (() => Promise<unknown>) | undefined;
  const answers = ['old', 'new'];
  const asked = async () => {
    await late?.();
    late = undefined;
    return done(answers.shift() ?? 'none');
  };
  const { inbox, inboxes, handled, tell } = await open({ again: true, ask: asked });
  await tell('tx-1', 'COMPLETED');
  late = () => tell('tx-1', 'CANCELLED');
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(true);
  expect(handled).toEqual(['CANCELLED new']);
});

test('a hint that is told without end is handled all the same', async () => {
  let asked = 0;
  let isFlooding = true;
  const { inbox, inboxes, handled, tell, forward, find } = await open({
    again: true,
    async ask() {
      asked += 1;
      if (isFlooding) await tell('tx-1', 'PAID');
      // So that a test that fails ends.
      if (asked > 20) isFlooding = false;
      return done(`${asked}`);
    },
  });
  await tell('tx-1', 'PAID');
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(false);
  expect(handled).toEqual(['PAID 2']);
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(false);
  expect(handled).toEqual(['PAID 2', 'PAID 4']);
  isFlooding = false;
  await forward(5_000);
  expect(handled).toEqual(['PAID 2', 'PAID 4', 'PAID 5']);
  expect(await find('tx-1')).toMatchObject({ outcome: 'taken' });
});

test('a hint that is told again waits since it first came, and anew only once it was handled', async () => {
  let answer: Outcome<string> = unknown('ETIMEDOUT');
  const { inbox, inboxes, jobs, tell, forward, find } = await open({
    again: true,
    ask: async () => answer,
  });
  const oldest = async () => (await inboxes.stats(bench.db()))[0]?.oldest_s ?? Number.NaN;
  await tell('tx-1', 'COMPLETED');
  const first = await find('tx-1');
  await forward(HOUR_MS);
  await tell('tx-1', 'CANCELLED');
  expect(await oldest()).toBeGreaterThanOrEqual(3600);
  answer = done('seen');
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(true);
  await jobs.drain();
  await forward(HOUR_MS);
  await tell('tx-1', 'CANCELLED');
  expect(await oldest()).toBeLessThan(3600);
  expect(await inboxes.handleNow(inbox, 'tx-1')).toBe(true);
  const { received_at, last_received_at } = (await find('tx-1')) ?? {};
  expect(received_at).toEqual(first?.received_at);
  expect(Date.parse(`${last_received_at}`) - Date.parse(`${received_at}`)).toBeGreaterThanOrEqual(
    2 * HOUR_MS,
  );
});

test('what nobody can handle is put before a person, who can have it handled again', async () => {
  let isBroken = true;
  const { inbox, inboxes, tell, forward, find } = await open({
    async handle() {
      if (isBroken) throw new Error('broken');
      return 'taken';
    },
  });
  await tell('e1', 'PAID');
  for (let attempt = 0; attempt < 14; attempt += 1) await forward(HOUR_MS);
  expect(await find('e1')).toMatchObject({ last_error: 'broken', outcome: null });
  expect(await inboxes.stats(bench.db())).toMatchObject([{ stalled: 1 }]);
  isBroken = false;
  expect(await transact(bench.db(), (tx) => inboxes.replay(tx, inbox.source, 'e1'))).toBe(true);
  await forward(1000);
  expect(await find('e1')).toMatchObject({ outcome: 'taken', stalled_at: null });
});

test('what has lost its job is found, and what was handled is forgotten in its time', async () => {
  const { handled, tell, forward, find } = await open();
  await tell('e1', 'PAID');
  await run(bench.db(), `delete from jobs where key = 'e1'`, []);
  await forward(3 * 60_000);
  expect(handled).toEqual(['PAID']);
  await forward(20 * HOUR_MS);
  expect(await find('e1')).toBeDefined();
  // The first due time that was missed counts, which may be a day before: so twice.
  for (let day = 0; day < 2; day += 1) await forward(24 * HOUR_MS);
  expect(await find('e1')).toBeUndefined();
});

test('a poison event keeps no other one waiting', async () => {
  const { jobs, tell, find } = await open({
    async handle(_, { status }) {
      if (status === 'POISON') throw new Error('unreadable');
      return 'taken';
    },
  });
  for (let n = 0; n < 10; n += 1) await tell(`p${n}`, 'POISON');
  await tell('good', 'PAID');
  await jobs.drain();
  expect(await find('good')).toMatchObject({ outcome: 'taken' });
  expect(await find('p0')).toMatchObject({ processed_at: null });
});

test('a replay while its job is at it has it handled once more, and ends', async () => {
  const busy = gate();
  let isFirst = true;
  const { inbox, inboxes, jobs, handled, tell, find } = await open({
    async ask() {
      if (isFirst) {
        isFirst = false;
        await busy.pass();
      }
      return done('asked');
    },
  });
  await tell('e1', 'PAID');
  const draining = jobs.drain();
  await busy.reached;
  expect(await transact(bench.db(), (tx) => inboxes.replay(tx, inbox.source, 'e1'))).toBe(true);
  busy.open();
  await draining;
  expect(handled).toEqual(['PAID asked']);
  expect(await find('e1')).toMatchObject({ outcome: 'taken', receipts: 2 });
});

test('a sender whose name no table takes is refused where it is defined', () => {
  const handle = async () => 'taken';
  expect(() => defineInbox({ source: 'Not a Name', keptMs: 1, handle })).toThrow('not a name');
});
