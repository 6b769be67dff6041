import { beforeEach, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { type OpenDatabase, openDatabase, run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { createLog } from '#kernel/log.ts';
import { atEnd } from '#test/at-end.ts';
import { emptyDatabase, migrateBefore } from '#test/database.ts';
import { installPgBoss } from '#test/pg-boss.ts';
import { defineJob, defineSchedule } from './job.ts';
import { createJobs, type Jobs } from './jobs.ts';

/** A database as the version before this queue leaves it, with its queues. */
let open: OpenDatabase;
let url: string;
beforeEach(async () => {
  const database = await emptyDatabase();
  url = database.url;
  open = openDatabase(url);
  atEnd(async () => {
    await open.close();
    await database.close();
  });
  await migrateBefore(url, '_own_jobs.sql');
  await installPgBoss(url);
  await sql(
    `select pgboss.create_queue(name, jsonb_build_object('policy', policy, 'deadLetter', dead, 'retryLimit', 2,
       'retryDelay', 2, 'retryBackoff', true, 'retryDelayMax', 3600, 'heartbeatSeconds', 10, 'retentionSeconds', 9999999))
     from (values ('dead', 'standard', null), ('t.way.exhausted', 'standard', 'dead'), ('t.way', 'short', 't.way.exhausted'),
       ('t.job', 'short', 'dead'), ('t.run', 'exclusive', 'dead')) as q (name, policy, dead)`,
  );
});

const sql = <Row = object>(text: string, values: readonly unknown[] = []) =>
  run<Row>(open.db, text, values);

/** Rows as pg-boss writes them: of the columns that are named its own values, of the others those of the queue. */
const add = (rows: readonly object[]) =>
  sql(
    `insert into pgboss.job (name, data, state, singleton_key, start_after, started_on, heartbeat_on, completed_on, retry_count, group_id,
       source_name, source_retry_count, source_output, retry_limit, policy, dead_letter, heartbeat_seconds)
     select r.name, coalesce(r.data, '{}'), coalesce(r.state, 'created'), r.singleton_key, now() + coalesce(r.after, interval '0'),
       case when r.state in ('active', 'retry') then now() end, case when r.state = 'active' then now() end,
       case when r.state = 'completed' then now() end, coalesce(r.retry_count, 0), r.group_id, r.source_name, r.source_retry_count,
       r.source_output, q.retry_limit, q.policy, q.dead_letter, q.heartbeat_seconds
     from jsonb_to_recordset($1) as r (name text, data jsonb, state pgboss.job_state, singleton_key text, after interval,
       retry_count int, group_id text, source_name text, source_retry_count int, source_output jsonb)
     join pgboss.queue q using (name)`,
    [JSON.stringify(rows)],
  );

const kept = () =>
  sql(
    `select name, key, state, attempt, is_alone, client_id, error, due_at > now() as is_later, data
     from jobs order by name, key, state`,
  );

/** A process of this version, and what it ran. */
function process(clock = createClock()): { jobs: Jobs; ran: string[] } {
  const ran: string[] = [];
  const note =
    (what: string) =>
    async (_: unknown, { attempt, key }: { attempt: number; key: string }) => {
      ran.push(`${what} ${key} ${attempt}`);
      return undefined;
    };
  const jobs = createJobs({ pool: open.pool, clock, log: createLog('silent') });
  jobs.register(
    [
      defineJob({ name: 't.job', attempts: 3, run: note('job') }),
      defineJob({
        name: 't.way',
        attempts: 3,
        run: note('way'),
        rows: { what: 'inbox', kind: 't', follow: async () => undefined },
      }),
    ],
    [
      defineSchedule({
        name: 't.run',
        cron: '0 0 1 1 *',
        run: async ({ due }) => void ran.push(`run ${due.toISOString()}`),
      }),
    ],
  );
  atEnd(() => jobs.stop(0));
  return { jobs, ran };
}

const DUE = '2026-11-27T20:00:00.000Z';
const OPEN = [
  { name: 't.job', singleton_key: 'now', data: { n: 1 }, group_id: '42' },
  { name: 't.job', singleton_key: 'later', after: '1 hour' },
  { name: 't.job', singleton_key: 'again', state: 'retry', after: '1 hour', retry_count: 1 },
  { name: 't.job', singleton_key: 'again', after: '1 hour' },
  { name: 't.job', singleton_key: 'runs', state: 'active' },
  { name: 't.job', singleton_key: 'done', state: 'completed' },
  { name: 't.run', singleton_key: 'run', data: { due: DUE } },
  { name: 't.way.exhausted', singleton_key: 'out', source_output: { message: 'no luck' } },
  {
    name: 'dead',
    singleton_key: 'gone',
    source_name: 't.job',
    source_retry_count: 2,
    source_output: { message: 'never' },
  },
];

test('jobs of every state go over once, and are run, run again or kept as what they were', async () => {
  await add(OPEN);
  await sql(`insert into inbox (source, id, event) values ('t', 'out', '{}')`);
  await migrate(url);
  const job = {
    name: 't.job',
    is_alone: false,
    client_id: null,
    error: null,
    is_later: true,
    data: {},
  };
  expect(await kept()).toEqual([
    { ...job, key: 'again', state: 'retrying', attempt: 2 },
    { ...job, key: 'again', state: 'waiting', attempt: 0 },
    { ...job, key: 'gone', state: 'dead', attempt: 3, error: 'never', is_later: false },
    { ...job, key: 'later', state: 'waiting', attempt: 0 },
    {
      ...job,
      key: 'now',
      state: 'waiting',
      attempt: 0,
      is_later: false,
      data: { n: 1 },
      client_id: 42,
    },
    { ...job, key: 'runs', state: 'active', attempt: 1 },
    {
      ...job,
      name: 't.run',
      key: 'run',
      state: 'waiting',
      attempt: 0,
      is_alone: true,
      is_later: false,
      data: { due: DUE },
    },
    {
      ...job,
      name: 't.way.exhausted',
      key: 'out',
      state: 'retrying',
      attempt: 0,
      error: 'no luck',
      is_later: false,
    },
  ]);

  const { jobs, ran } = process();
  await jobs.drain();
  expect(ran.splice(0).sort()).toEqual(['job now 1', `run ${DUE}`]);
  expect(await sql('select id, last_error from inbox')).toEqual([
    { id: 'out', last_error: 'no luck' },
  ]);
  await jobs.advance(3_600_000);
  await jobs.drain();
  expect(ran.splice(0).sort()).toEqual(['job again 1', 'job again 3', 'job later 1']);
  expect(await jobs.deadLetters()).toMatchObject([{ name: 't.job', error: 'never', attempts: 3 }]);
  expect(await jobs.redrive('t.job')).toBe(1);
  await jobs.drain();
  expect(ran.splice(0)).toEqual(['job gone 1']);
  expect(await kept()).toMatchObject([{ key: 'runs', state: 'active' }]);
});

test('what a process of the version before is running it ends itself, or another process takes it over, never both', async () => {
  await add(['ends', 'fails', 'hangs'].map((singleton_key) => ({ ...OPEN[4], singleton_key })));
  await migrate(url);
  const rows = await sql<{ id: string; key: string }>('select id, key from jobs');
  const idOf = Object.fromEntries(rows.map(({ id, key }) => [key, id]));
  const complete = (key: string) =>
    sql('select complete_jobs($1, $2, $3)', [['t.job'], [idOf[key]], [0]]);
  const fail = (key: string) =>
    sql(
      `with gone as (delete from pgboss.job_common where name = 't.job' and id = $1 and state = 'active' and retry_count = 0 returning *)
       insert into pgboss.job_common (id, name, data, state, retry_count, singleton_key, policy, start_after)
       select id, name, data, 'retry', retry_count, singleton_key, policy, now() + interval '3 seconds' from gone returning id`,
      [idOf[key]],
    );
  expect(await complete('ends')).toHaveLength(1);
  expect(await fail('fails')).toHaveLength(1);
  await sql(
    `update pgboss.job_common set heartbeat_on = now() + interval '1 minute' where id = $1`,
    [idOf['hangs']],
  );
  expect(await kept()).toMatchObject([
    { key: 'fails', state: 'retrying', attempt: 1, is_later: true },
    { key: 'hangs', state: 'active', attempt: 1, is_later: true },
  ]);

  // It says nothing for too long, and another process goes on.
  await sql(`update jobs set due_at = now() where key = 'hangs'`);
  const { jobs, ran } = process();
  await jobs.drain();
  expect(await complete('hangs')).toEqual([]);
  expect(await fail('hangs')).toEqual([]);
  await jobs.advance(60_000);
  await jobs.drain();
  expect(ran.sort()).toEqual(['job fails 2', 'job hangs 2']);
  expect(await kept()).toEqual([]);
});

test('a process of the version before goes on beside this one: it adds, takes, ends and gives up', async () => {
  await migrate(url);
  const run = { name: 't.run', singleton_key: 'run', data: { due: DUE } };
  await add([
    { name: 't.job', singleton_key: 'a', after: '1 hour', group_id: '42' },
    run,
    ...OPEN.slice(-2),
  ]);
  await add([{ name: 't.job', singleton_key: 'a' }, run]);
  expect(await sql(`select id from pgboss.job`)).toEqual([]);
  const found = (await kept()).map((row) => Object.values(row).slice(0, 3).join(' '));
  expect(found).toEqual([
    ...['t.job a waiting', 't.job gone dead', 't.run run waiting'],
    't.way.exhausted out retrying',
  ]);

  const names = async () =>
    (await sql<{ name: string }>('select due_queues() as name')).map(({ name }) => name).sort();
  expect(await names()).toEqual(['t.job', 't.run', 't.way.exhausted']);
  const taken = await sql<{ id: string; name: string }>(
    'select * from take_in_turn($1, $2, $3, $4)',
    [['t.job', 't.way.exhausted'], [5, 5], [null, '7'], 20],
  );
  expect(taken).toMatchObject([
    {
      name: 't.job',
      retryCount: 0,
      retryLimit: 2,
      singletonKey: 'a',
      sourceOutput: null,
      groupId: '42',
    },
    { name: 't.way.exhausted', retryCount: 0, sourceOutput: { message: 'no luck' } },
  ]);
  expect(await names()).toEqual(['t.run']);
  const { jobs, ran } = process();
  await jobs.drain();
  expect(ran.splice(0)).toEqual([`run ${DUE}`]);
  const [first, second] = taken;
  await sql('select complete_jobs($1, $2, $3)', [[first?.name], [first?.id], [0]]);
  // As pg-boss ends a last attempt.
  await sql(
    `with gone as (delete from pgboss.job_common where id = $1 and state = 'active' returning *),
     failed as (insert into pgboss.job_common (id, name, data, state, policy)
       select id, name, data, 'failed', policy from gone returning *)
     insert into pgboss.job (name, data, policy, singleton_key, source_name, source_retry_count, source_output)
     select 'dead', data, 'standard', 'out', name, 2, '{"message":"nor there"}' from gone`,
    [second?.id],
  );
  expect(await jobs.deadLetters()).toMatchObject([
    { name: 't.way.exhausted', error: 'nor there', attempts: 3 },
    { name: 't.job', error: 'never' },
  ]);
  expect(await kept()).toHaveLength(2);
});

test('a database that never had pg-boss has nothing of it', async () => {
  const fresh = await emptyDatabase();
  const { db, close } = openDatabase(fresh.url);
  atEnd(async () => {
    await close();
    await fresh.close();
  });
  await migrate(fresh.url);
  const named = `select proname from pg_proc where proname in ('queues_due', 'due_queues', 'claim_jobs', 'take_jobs', 'complete_jobs',
      'claim_in_turn', 'take_in_turn')
    union all select nspname from pg_namespace where nspname = 'pgboss'`;
  expect(await run(db, named, [])).toEqual([]);
});
