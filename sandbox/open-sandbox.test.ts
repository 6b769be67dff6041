import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { testDatabase } from '#test/database.ts';
import { openSandbox } from './open-sandbox.ts';

const databases = await Promise.all([testDatabase(), testDatabase()]);
const [ours, others] = databases.map(({ url }) => openDatabase(url));
afterAll(async () => {
  await Promise.all([ours?.close(), others?.close()]);
  await Promise.all(databases.map((database) => database.close()));
});

function open(opened: typeof ours, port: number) {
  if (!opened) throw new Error('No database');
  return openSandbox({
    db: opened.db,
    clock: createClock(),
    log: createLog('silent'),
    host: '127.0.0.1',
    port,
    simulators: [],
    serviceUrl: () => 'http://localhost:1/api',
    advance: async () => undefined,
  });
}

test('a second process of the service shares the sandbox of the first', async () => {
  const sandbox = await open(ours, 0);
  const port = Number(new URL(sandbox?.url ?? '').port);
  expect(await open(ours, port)).toBeUndefined();
  await expect(open(others, port)).rejects.toThrow(`Port ${port} is taken by another program`);
  await sandbox?.close();
});

test('a port that is some other program’s is not taken for the sandbox', async () => {
  const server = createServer((_request, reply) => reply.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(open(ours, port)).rejects.toThrow('set SANDBOX_PORT to a free one');
  server.close();
});
