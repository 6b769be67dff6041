import pg from 'pg';
import { expect, test } from 'vitest';
import { composed, openedDatabase } from './composed.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { removeFolder } from './folders.ts';

test('a database in which a service has made its queues has nothing else that a migrated one has not', async () => {
  const [migrated, opened] = [await testDatabase(), await openedDatabase()];
  try {
    const [before, after] = [await rowsIn(migrated), await rowsIn(opened)];
    const grown = [...after].filter(([table, rows]) => rows !== before.get(table));
    expect(grown.map(([table]) => table)).toEqual(['pgboss.queue']);
    expect([...after.keys()]).toEqual([...before.keys()]);
  } finally {
    await Promise.all([migrated.close(), opened.close()]);
  }
});

test('a service finds all its queues in it, and makes none', async () => {
  const opened = await openedDatabase();
  const before = await queuesIn(opened);
  const { app, dataDir } = await composed(opened.url);
  try {
    await app.kernel.jobs.open();
    expect(await queuesIn(opened)).toEqual(before);
  } finally {
    await app.close();
    await opened.close();
    await removeFolder(dataDir);
  }
});

async function asking<T>({ url }: TestDatabase, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const queuesIn = (database: TestDatabase) =>
  asking(database, async (client) => {
    const { rows } = await client.query('select name, created_on from pgboss.queue order by name');
    return rows;
  });

/** Of each table of ours how many rows it has. */
const rowsIn = (database: TestDatabase) =>
  asking(database, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const each = tables.map(
      ({ name }) => `select '${name}' as name, count(*) as rows from ${name}`,
    );
    const { rows } = await client.query<{ name: string; rows: string }>(each.join(' union all '));
    return new Map(rows.map(({ name, rows }) => [name, rows]));
  });
