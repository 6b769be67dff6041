// Long: a database is killed and comes back.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createLog } from '#kernel/log.ts';
import { clusterFolder, killServer } from '#test/folders.ts';
import { startEmbedded } from './embedded.ts';
import { supervise } from './supervisor.ts';

test('a supervised server comes back by itself after each kill', async () => {
  const dir = await clusterFolder(inject('testRun'));
  const server = await startEmbedded({ dir, durable: false });
  const lines: string[] = [];
  const keeper = supervise(server, createLog('info', { write: (line) => void lines.push(line) }));
  const answers = async () => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('select 1').finally(() => client.end());
    return lines.length;
  };
  try {
    for (const times of [1, 2]) {
      const pid = await readFile(join(dir, 'cluster', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(pid, 10), 'SIGKILL');
      await expect.poll(() => answers().catch(() => 0)).toBe(times);
      expect(lines.at(-1)).toContain('the database had died and runs again');
    }
  } finally {
    keeper.stop();
    await server.stop();
    killServer(dir);
    await rm(dir, { recursive: true, force: true });
  }
});
