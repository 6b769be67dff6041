import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { atEnd } from '#test/at-end.ts';
import { testDatabase } from '#test/database.ts';
import { sent } from '#test/statements.ts';
import { openBoss, provideQueues, within } from './boss.ts';
import { COMPLETE, createCompletions } from './completions.ts';
import { DUE, TAKE } from './dispatcher.ts';
import { defineJob, defineSchedule } from './job.ts';
import { createScheduler } from './scheduler.ts';

const database = await testDatabase();
const { db, pool, close } = openDatabase(database.url);
atEnd(async () => {
  await close();
  await database.close();
});

async function opened(prepared: boolean) {
  const log = createLog('silent');
  const { boss, close } = await openBoss({ like: pool, url: database.url, prepared, log });
  atEnd(async () => {
    await boss.stop({ graceful: false });
    await close();
  });
  return boss;
}

/** The queue's own session, and what it asks. */
const session = async (prepared: boolean) => (await opened(prepared)).getDb();

const PREPARED = `
  select count(*)::int as times from pg_prepared_statements where statement = $1 and name <> ''`;

test('what the queue asks again and again with values is planned once', async () => {
  const queue = await session(true);
  const text = 'select $1::int as n';
  for (const n of [1, 2, 3]) expect((await queue.executeSql(text, [n])).rows).toEqual([{ n }]);
  expect((await queue.executeSql(PREPARED, [text])).rows).toEqual([{ times: 1 }]);
});

test('nothing is prepared where something in between does not keep it', async () => {
  const queue = await session(false);
  const text = 'select $1::int as n';
  expect((await queue.executeSql(text, [1])).rows).toEqual([{ n: 1 }]);
  expect((await queue.executeSql(PREPARED, [text])).rows).toEqual([{ times: 0 }]);
});

test('a newer version that changes the queue’s tables leaves the older one working', async () => {
  const queue = await session(true);
  await run(db, 'create table of_queue (n integer not null)', []);
  await run(db, 'insert into of_queue values (1)', []);
  const ask = async () => (await queue.executeSql('select * from of_queue where n = $1', [1])).rows;
  expect(await ask()).toEqual([{ n: 1 }]);
  await run(db, 'alter table of_queue add column added integer default 2', []);
  expect(await ask()).toEqual([{ n: 1, added: 2 }]);
  expect(await ask()).toEqual([{ n: 1, added: 2 }]);
});

/** How many rows of the queue's table its sessions have read so far. */
async function rowsRead(queue: Awaited<ReturnType<typeof session>>): Promise<number> {
  await queue.executeSql('select pg_stat_force_next_flush()');
  const { rows } = await queue.executeSql(
    `select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_user_tables
     where relname = 'job_common'`,
  );
  return Number(rows[0].n);
}

const ADD = `
  insert into pgboss.job_common (name, data, policy, state, start_after)
  select $1, '{}', 'standard', $2::pgboss.job_state, $4::timestamptz from generate_series(1, $3::int)`;

test('a look for what is due reads two jobs of a queue in which any waits, whatever the table held when it was planned', async () => {
  const queue = await session(true);
  for (const name of ['looked', 'empty', 'later'])
    await queue.executeSql('select pgboss.create_queue($1, $2)', [name, { policy: 'standard' }]);
  const add = (state: string, count: number, name = 'looked', after = 'now') =>
    queue.executeSql(ADD, [name, state, count, after]);
  const look = async () => (await queue.executeSql(DUE)).rows.map(({ name }) => name);
  await add('completed', 1);
  await queue.executeSql('vacuum analyze pgboss.job_common');
  for (let turn = 0; turn < 8; turn += 1) expect(await look()).toEqual([]);
  await add('completed', 3000);
  await add('created', 2000);
  await add('created', 2000, 'later', 'tomorrow');
  const before = await rowsRead(queue);
  expect(await look()).toEqual(['looked']);
  expect((await rowsRead(queue)) - before).toBeLessThan(10);
});

test('jobs are taken without reading the others, whatever the table held when that was planned', async () => {
  const queue = await session(true);
  await queue.executeSql('select pgboss.create_queue($1, $2)', ['taken', { policy: 'standard' }]);
  const take = async (room: number) =>
    (await queue.executeSql(TAKE, [['taken'], [room], [null], room])).rows;
  // Planned for the first of all jobs, as in a process that is the first on a new database.
  await queue.executeSql(ADD, ['taken', 'created', 1, 'now']);
  for (const found of [1, 0, 0, 0, 0, 0, 0, 0]) expect(await take(5)).toHaveLength(found);
  await queue.executeSql(ADD, ['taken', 'completed', 3000, 'now']);
  await queue.executeSql(ADD, ['taken', 'created', 2000, 'now']);
  const before = await rowsRead(queue);
  expect(await take(5)).toHaveLength(5);
  // Each once to be chosen and once to be taken, and what an index leads to that is taken already.
  expect((await rowsRead(queue)) - before).toBeLessThan(20);
});

test('jobs are taken from queues in their order, of each at most its room, of all at most so many', async () => {
  const queue = await session(true);
  const names = ['t.last', 't.first', 't.none', 't.second'];
  for (const name of names) {
    await queue.executeSql('select pgboss.create_queue($1, $2)', [name, { policy: 'standard' }]);
    if (name !== 't.none') await queue.executeSql(ADD, [name, 'created', 5, 'now']);
  }
  const order = ['t.first', 't.none', 't.second', 't.last'];
  const take = async (rooms: number[], most: number) =>
    (await queue.executeSql(TAKE, [order, rooms, order.map(() => null), most])).rows.map(
      ({ name }) => name,
    );
  expect(await take([2, 5, 5, 5], 6)).toEqual([
    ...['t.first', 't.first'],
    ...['t.second', 't.second', 't.second', 't.second'],
  ]);
  expect(await take([5, 5, 5, 0], 20)).toEqual(['t.first', 't.first', 't.first', 't.second']);
  expect(await take([5, 5, 5, 5], 20)).toHaveLength(5);
});

/** Rows of the queue's table, but for what tells one from another. */
const rowsOf = async (name: string) =>
  run<Record<string, unknown>>(
    db,
    `select to_jsonb(j) - array['id', 'name', 'data', 'created_on', 'start_after', 'started_on', 'heartbeat_on', 'completed_on', 'keep_until']
       || jsonb_build_object('kept', j.keep_until - j.start_after, 'is_due', j.start_after <= now(),
         'is_started', j.started_on is not null, 'is_ended', j.completed_on is not null, 'is_alive', j.heartbeat_on = j.started_on, 'due', j.data ? 'due') as job
     from pgboss.job_common j where name = $1 order by created_on`,
    [name],
  );

test('a job is taken as pg-boss takes it, at its first and at its second try', async () => {
  const boss = await opened(true);
  const [ours, theirs] = ['t.ours', 't.theirs'].map((name) =>
    defineJob({ name, run: async () => undefined }),
  ) as [ReturnType<typeof defineJob>, ReturnType<typeof defineJob>];
  await provideQueues(boss, [ours, theirs], []);
  const options = { singletonKey: 'k', startAfter: new Date(0) };
  for (const { name } of [ours, theirs]) await boss.send(name, { n: 1 }, options);
  for (const retryCount of [0, 1]) {
    const [{ id = '', ...taken } = {}] = (
      await boss.getDb().executeSql(TAKE, [[ours.name], [5], [null], 5])
    ).rows;
    const [other] = await boss.fetch(theirs.name, { batchSize: 5, includeMetadata: true });
    expect(taken).toEqual({
      name: ours.name,
      data: { n: 1 },
      retryCount,
      retryLimit: 11,
      singletonKey: 'k',
      sourceOutput: null,
      groupId: null,
    });
    expect(await rowsOf(ours.name)).toEqual(await rowsOf(theirs.name));
    await boss.fail(ours.name, { id, retryCount }, {});
    await boss.fail(theirs.name, { id: other?.id ?? '', retryCount }, {});
    await run(db, `update pgboss.job_common set start_after = now() where name = any($1)`, [
      [ours.name, theirs.name],
    ]);
  }
});

test('runs that end together are ended by one statement, as pg-boss ends them, but for those taken over', async () => {
  const boss = await opened(true);
  const jobs = ['t.ends', 't.ends-too', 't.theirs-ends'].map((name) =>
    defineJob({ name, run: async () => undefined }),
  );
  const names = jobs.map(({ name }) => name);
  await provideQueues(boss, jobs, []);
  for (const name of names)
    for (const singletonKey of ['a', 'b']) await boss.send(name, {}, { singletonKey });
  const { rows } = await boss.getDb().executeSql(TAKE, [names, [2, 2, 2], [null, null, null], 6]);
  expect(rows).toHaveLength(6);
  const [ours, theirs] = [
    rows.filter(({ name }) => name !== names[2]),
    rows.filter(({ name }) => name === names[2]),
  ];
  for (const { name, id, retryCount } of theirs) await boss.complete(name, { id, retryCount });

  const taken = { ...ours[3], retryCount: 1 };
  const asked = sent.length;
  const complete = createCompletions(boss);
  const found = await Promise.all([...ours.slice(0, 3), taken].map(complete));
  expect(found).toEqual([true, true, true, false]);
  expect(sent.slice(asked).filter((text) => text === COMPLETE)).toHaveLength(2);
  expect(await rowsOf(names[0] ?? '')).toEqual(await rowsOf(names[2] ?? ''));
  const states = (await rowsOf(names[1] ?? '')).map(({ job }) => (job as { state: string }).state);
  expect(states.sort()).toEqual(['active', 'completed']);
  // One that has ended is nobody's any more.
  expect(await complete(ours[0])).toBe(false);
});

test('a run whose end cannot be told fails, and the next one is told of again', async () => {
  const boss = await opened(true);
  const complete = createCompletions(boss);
  const none = {
    name: 't.none',
    data: {},
    retryCount: 0,
    retryLimit: 1,
    singletonKey: null,
    sourceOutput: null,
    groupId: null,
  };
  await expect(complete({ ...none, id: 'no id' })).rejects.toThrow('uuid');
  expect(await complete({ ...none, id: randomUUID() })).toBe(false);
});

test('a run of a schedule is added as pg-boss would add it', async () => {
  const boss = await opened(true);
  const each = { cron: '* * * * *', run: async () => {} };
  const ours = defineSchedule({ name: 't.fired', ...each });
  const theirs = defineSchedule({ name: 't.sent', ...each });
  await provideQueues(boss, [], [ours, theirs]);
  const clock = createClock();
  const scheduler = createScheduler({ db, clock }, [ours]);
  await scheduler.tick();
  clock.advance(120_000);
  expect(await scheduler.tick()).toBe(1);
  await boss.send(theirs.name, { due: clock.now() }, { singletonKey: 'run' });
  expect(await rowsOf(ours.name)).toEqual(await rowsOf(theirs.name));
  expect(await rowsOf(ours.name)).toHaveLength(1);
  // The next one waits for it: there is one at a time.
  clock.advance(60_000);
  await scheduler.tick();
  expect(await rowsOf(ours.name)).toHaveLength(1);
});

test('jobs are added to all queues by one statement', async () => {
  const boss = await opened(true);
  const jobs = ['t.one', 't.two'].map((name) => defineJob({ name, run: async () => undefined }));
  await provideQueues(boss, jobs, []);
  await db.connection().execute(async (session) => {
    for (const { name } of jobs) {
      await boss.send(name, { n: 1 }, { singletonKey: 'a', db: within(session) });
      await boss.insert(name, [{ data: {}, singletonKey: 'b' }], { db: within(session) });
    }
    const added = await run<{ times: number }>(
      session,
      `select count(*)::int as times from pg_prepared_statements
       where statement ~ 'INSERT[ ]INTO pgboss.job_common'`,
      [],
    );
    // One that answers the ids, and one that does not.
    expect(added).toEqual([{ times: 2 }]);
  });
  for (const { name } of jobs) expect(await rowsOf(name)).toHaveLength(2);
});
