import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '#kernel/db/migrate.ts';
import { composed } from './composed.ts';
import { removeFolder } from './folders.ts';

const name = `roles_${randomBytes(6).toString('hex')}`;
const owner = `${name}_owner`;
const PASSWORD = randomBytes(12).toString('hex');

const urlOf = (role: string) => {
  const url = new URL(inject('testAdmin'));
  Object.assign(url, { username: role, password: PASSWORD, pathname: `/${name}` });
  return url.href;
};
const adminUrl = (database: string) => {
  const url = new URL(inject('testAdmin'));
  url.pathname = `/${database}`;
  return url.href;
};
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same as psql with that file, for roles and a database of this test's own. */
beforeAll(async () => {
  const text = readFileSync('ops/compose/roles.sql', 'utf8')
    .replaceAll(/:'\w+'/g, `'${PASSWORD}'`)
    .replaceAll(/\barchipay_owner\b/g, owner)
    .replaceAll(/\barchipay\b/g, name);
  const [before = '', after = ''] = text.split(/^\\connect .*$/m);
  const statements = before.split(/;$/m).filter((one) => /\w/.test(one));
  await withClient(adminUrl('postgres'), async (client) => {
    for (const one of statements) await client.query(one);
  });
  await withClient(adminUrl(name), (client) => client.query(after));
  await migrate(urlOf(owner));
});

afterAll(async () => {
  await withClient(adminUrl('postgres'), async (client) => {
    await client.query(`drop database ${name} with (force)`);
    await client.query(`drop role ${owner}`);
    await client.query(`drop role ${name}`);
  });
});

test('the role of the service can do all of its work, schedules included', async () => {
  const { app, dataDir } = await composed(urlOf(name), { config: { MIGRATE: 'off', ROLE: 'all' } });
  try {
    await app.start();
    const { jobs } = app.kernel;
    const context = { attempt: 1, last: true, key: 'k', signal: AbortSignal.timeout(60_000) };
    const due = app.kernel.clock.now();
    const failed: string[] = [];
    for (const schedule of jobs.schedules())
      await schedule
        .run({ ...context, due, completeWithin: async () => undefined })
        .catch((error: Error) => failed.push(`${schedule.name}: ${error.message}`));
    expect(failed.filter((line) => line.includes('permission denied'))).toEqual([]);
    await jobs.drain();
    await withClient(urlOf(name), async (client) => {
      await client.query('select events.provide(1, 1), events.forget(now())');
      for (const table of ['webhooks.attempts', 'public.policy_decisions', 'public.request_logs']) {
        const provide = `select provide_partitions($1, now() + interval '400 days') as made`;
        expect((await client.query(provide, [table])).rows).toEqual([{ made: 2 }]);
        expect((await client.query(provide, [table])).rows).toEqual([{ made: 0 }]);
        await client.query(`select forget_partitions($1, now() + interval '1000 days')`, [table]);
      }
      // Partitions of other tables, such as the log of events, are not theirs to drop.
      await expect(client.query(`select forget_partitions('events.log', now())`)).rejects.toThrow(
        'has no partitions by time',
      );
    });
  } finally {
    await app.close();
    await removeFolder(dataDir);
  }
});

test('the service’s role uses the owner’s new objects, and cannot change the schema', async () => {
  const found = await withClient(urlOf(name), async (client) => {
    const { rows } = await client.query(`
      with own as (select oid, nspname from pg_namespace where nspname !~ '^(pg_|information_schema)')
      select n.nspname || '.' || c.relname as what from pg_class c join own n on n.oid = c.relnamespace
       where case when c.relkind in ('r', 'p', 'v', 'm')
                  then not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
                       and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
                  when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'usage') end
      union all
      select n.nspname from own n where not has_schema_privilege(n.oid, 'usage')
      union all
      select n.nspname || '.' || p.proname from pg_proc p join own n on n.oid = p.pronamespace
       where not has_function_privilege(p.oid, 'execute')
          or not p.prosecdef and p.prosrc ~* '\\m(create|alter|drop|truncate) (table|index|schema|trigger)\\M'`);
    return rows.map(({ what }) => what);
  });
  expect(found).toEqual([]);
});

test.each([
  'alter table activity_log disable trigger all',
  'drop trigger if exists log_only_grows on events.log',
  'truncate activity_log',
  'create table here (n int)',
  'drop table users',
  'create role other',
  'create schema other',
  'alter function events.provide(bigint, bigint) security invoker',
  "copy users to program 'cat'",
])('and it cannot: %s', async (text) => {
  await withClient(urlOf(name), async (client) => {
    await expect(client.query(text)).rejects.toMatchObject({ code: '42501' });
  });
});
