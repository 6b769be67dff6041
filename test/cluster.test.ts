import pg from 'pg';
import { expect, test } from 'vitest';
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
