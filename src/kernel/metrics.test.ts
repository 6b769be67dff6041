import { expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { openDatabase } from './db/db.ts';
import { createMetrics } from './metrics.ts';

test('whoever waits for a connection is counted, with how long it took, and who gets none too', async () => {
  const database = await testDatabase();
  // As long as a slow machine needs for a connection.
  const opened = openDatabase(database.url, { max: 1, waitMs: 3000 });
  const { registry } = createMetrics(opened.pool);
  const held = await opened.pool.connect();
  const waiting = opened.pool.query('select 1');
  held.release();
  await waiting;
  const again = await opened.pool.connect();
  await expect(opened.pool.connect()).rejects.toThrow('timeout');
  again.release();
  const told = await registry.getSingleMetricAsString('archipay_database_wait_seconds');
  expect(told).toContain('archipay_database_wait_seconds_count 4');
  // The one in vain has waited for all of its time.
  const sum = Number(/_sum (\S+)/.exec(told)?.[1]);
  expect(sum).toBeGreaterThan(2.9);
  await opened.close();
  await database.close();
});

test('a process watches itself once, however many services there were in it', () => {
  const [one, next] = [createMetrics(), createMetrics()];
  for (const name of ['nodejs_eventloop_lag_seconds', 'nodejs_gc_duration_seconds'])
    expect(next.registry.getSingleMetric(name)).toBe(one.registry.getSingleMetric(name));
});
