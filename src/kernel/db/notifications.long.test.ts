// Long: a database is lost and comes back.

import pg from 'pg';
import { expect, test } from 'vitest';
import { createLog } from '#kernel/log.ts';
import { testCluster } from '#test/cluster.ts';
import { holdLiveness } from './liveness.ts';

test('after the database was away notifications arrive again, and caches are told in between', async () => {
  const cluster = await testCluster({ durable: false });
  const heard: string[] = [];
  let losses = 0;
  const presence = await holdLiveness(cluster.url(), createLog('silent'));
  const notices = await presence.listen({
    channel: 'test',
    hear: (payload) => void heard.push(payload),
    lost() {
      losses += 1;
    },
  });
  try {
    const tell = async (payload: string) => {
      const client = new pg.Client({ connectionString: cluster.url() });
      await client.connect();
      await client.query('select pg_notify($1, $2)', ['test', payload]);
      await client.end();
    };
    await tell('before');
    await expect.poll(() => heard).toEqual(['before']);
    const before = losses;

    cluster.crash();
    await expect.poll(() => notices.isListening).toBe(false);
    // Longer than a first try to connect again, which must not have been the last.
    await expect.poll(() => losses).toBeGreaterThan(before + 2);
    await cluster.restart();
    await expect.poll(() => notices.isListening).toBe(true);
    await tell('after');
    await expect.poll(() => heard).toEqual(['before', 'after']);
  } finally {
    await notices.close();
    await presence.close();
    await cluster.close();
  }
});
