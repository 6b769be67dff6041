import { expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { atEnd } from '#test/at-end.ts';
import { testDatabase } from '#test/database.ts';
import { openBoss, provideQueues, within } from './boss.ts';
import { CLAIM, DUE } from './dispatcher.ts';
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
  insert into pgboss.job_common (name, data, policy, state)
  select $1, '{}', 'standard', $2::pgboss.job_state from generate_series(1, $3::int)`;

test('a look for what is due reads one job of a queue, whatever the table held when it was planned', async () => {
  const queue = await session(true);
  for (const name of ['looked', 'empty'])
    await queue.executeSql('select pgboss.create_queue($1, $2)', [name, { policy: 'standard' }]);
  const add = (state: string, count: number) => queue.executeSql(ADD, ['looked', state, count]);
  const look = async () =>
    (await queue.executeSql(DUE, [['looked', 'empty']])).rows.map(({ name }) => name);
  await add('completed', 1);
  await queue.executeSql('vacuum analyze pgboss.job_common');
  for (let turn = 0; turn < 8; turn += 1) expect(await look()).toEqual([]);
  await add('completed', 3000);
  await add('created', 2000);
  const before = await rowsRead(queue);
  expect(await look()).toEqual(['looked']);
  expect((await rowsRead(queue)) - before).toBeLessThan(5);
});

test('jobs are taken without reading the others, whatever the table held when that was planned', async () => {
  const queue = await session(true);
  await queue.executeSql('select pgboss.create_queue($1, $2)', ['taken', { policy: 'standard' }]);
  const take = async (room: number) => (await queue.executeSql(CLAIM, ['taken', room])).rows;
  // Planned for the first of all jobs, as in a process that is the first on a new database.
  await queue.executeSql(ADD, ['taken', 'created', 1]);
  for (const found of [1, 0, 0, 0, 0, 0, 0, 0]) expect(await take(5)).toHaveLength(found);
  await queue.executeSql(ADD, ['taken', 'completed', 3000]);
  await queue.executeSql(ADD, ['taken', 'created', 2000]);
  const before = await rowsRead(queue);
  expect(await take(5)).toHaveLength(5);
  // Each once to be chosen and once to be taken, and what an index leads to that is taken already.
  expect((await rowsRead(queue)) - before).toBeLessThan(20);
});

/** Rows of the queue's table, but for what tells one from another. */
const rowsOf = async (name: string) =>
  run<Record<string, unknown>>(
    db,
    `select to_jsonb(j) - array['id', 'name', 'data', 'created_on', 'start_after', 'started_on', 'heartbeat_on', 'keep_until']
       || jsonb_build_object('kept', j.keep_until - j.start_after, 'is_due', j.start_after <= now(),
         'is_started', j.started_on is not null, 'is_alive', j.heartbeat_on = j.started_on, 'due', j.data ? 'due') as job
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
    const [{ id = '', ...taken } = {}] = (await boss.getDb().executeSql(CLAIM, [ours.name, 5]))
      .rows;
    const [other] = await boss.fetch(theirs.name, { batchSize: 5, includeMetadata: true });
    expect(taken).toEqual({
      name: ours.name,
      data: { n: 1 },
      retryCount,
      retryLimit: 11,
      singletonKey: 'k',
      sourceOutput: null,
    });
    expect(await rowsOf(ours.name)).toEqual(await rowsOf(theirs.name));
    await boss.fail(ours.name, { id, retryCount }, {});
    await boss.fail(theirs.name, { id: other?.id ?? '', retryCount }, {});
    await run(db, `update pgboss.job_common set start_after = now() where name = any($1)`, [
      [ours.name, theirs.name],
    ]);
  }
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
