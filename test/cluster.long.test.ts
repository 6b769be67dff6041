// Long: a database is killed and comes back.

import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/kernel/db/db.ts';
import { testCluster } from './cluster.ts';

test('a server that crashed has every committed row after it was started again', async () => {
  const cluster = await testCluster();
  try {
    const before = new pg.Client({ connectionString: cluster.url() });
    before.on('error', () => undefined);
    await before.connect();
    await before.query('create table kept as select 42 as answer');
    cluster.crash();
    await expect(before.query('select pg_sleep(20)')).rejects.toThrow();

    await cluster.restart();
    const after = new pg.Client({ connectionString: cluster.url() });
    await after.connect();
    expect((await after.query('select answer from kept')).rows).toEqual([{ answer: 42 }]);
    await after.end();
  } finally {
    await cluster.close();
  }
});

test('a database that goes away fails the running statements and not the process', async () => {
  const cluster = await testCluster();
  const { db, close } = openDatabase(cluster.url());
  try {
    const asleep = sql`select pg_sleep(20)`.execute(db);
    const between = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      await asleep.catch(() => undefined);
      await sql`select 1`.execute(tx);
    });
    const failed = Promise.allSettled([asleep, between]);
    await expect.poll(() => activity(cluster.adminUrl())).toBe(2);
    cluster.crash();
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  } finally {
    await close();
    await cluster.close();
  }
});

/** How many of the application's connections are in a statement or a transaction. */
async function activity(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as n from pg_stat_activity
      where application_name = 'archipay' and state <> 'idle'`,
  );
  await client.end();
  return rows[0].n;
}
