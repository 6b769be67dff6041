import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { identify } from '#kernel/db/process-file.ts';
import { createLog } from '#kernel/log.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { startWithRetries } from '#src/app/start/start.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { testDatabase } from './database.ts';
import { runFolder } from './run-folder.ts';
import { serviceStarter } from './service.ts';

const start = await serviceStarter();
const database = await testDatabase();
const proxy = await cuttingProxy(database.url);
const dataDir = await runFolder();
afterAll(async () => {
  proxy.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the service in this process over that database, and ends it; answers its log. */
async function startAndEnd(url: string, patienceMs = 60_000): Promise<string> {
  const lines: string[] = [];
  const { app, database: running } = await startWithRetries(
    loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
    }),
    {
      secrets: newSecrets(),
      log: createLog('info', { write: (line) => void lines.push(line) }),
      signal: new AbortController().signal,
      patienceMs,
    },
  );
  const status = async () => (await fetch(`${app.kernel.publicUrl()}/health/ready`)).status;
  await expect.poll(status).toBe(200);
  await app.close();
  await running.stop();
  return lines.join('');
}

const AWAY = 'the database is away';
const isWaiting = (said: string) => said.includes(AWAY);

test('a service whose database is killed during its start comes up by itself', async () => {
  proxy.cutAfter(1, 3);
  const { said, end } = await start({ DATABASE_URL: proxy.url, LOG_LEVEL: 'info' });
  expect(said()).toContain(AWAY);
  expect(await end('SIGTERM')).toBe(0);
});

test('a service that waits for its database ends at SIGTERM, and logs it', async () => {
  proxy.cutAfter(1, Number.POSITIVE_INFINITY);
  const settings = { DATABASE_URL: proxy.url, LOG_LEVEL: 'info' };
  const { said, end } = await start(settings, isWaiting);
  expect(await end('SIGTERM')).toBe(0);
  await expect.poll(said).toContain('"msg":"stopping"');
  expect(said()).not.toContain('could not start');
});

test('a service whose database has died ends at SIGTERM, and logs it', async () => {
  proxy.cutAfter(Number.POSITIVE_INFINITY);
  const { api, said, end } = await start({ DATABASE_URL: proxy.url, LOG_LEVEL: 'info' });
  proxy.cutAfter(1, Number.POSITIVE_INFINITY);
  const isReady = async () => (await fetch(new URL('/health/ready', api))).status;
  await expect.poll(isReady).toBe(503);
  expect(await end('SIGTERM')).toBe(0);
  await expect.poll(said).toContain('"msg":"stopping"');
});

const pidFile = join(start.dataDir, 'postgres', 'cluster', 'postmaster.pid');
/** Of the service's own database server, once there is one. */
const pidOf = () =>
  existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : Number.NaN;

test('a service restarts its own database server if that is killed during the start', async () => {
  const { said, end } = await start({}, () => pidOf() > 0);
  process.kill(pidOf(), 'SIGKILL');
  await expect.poll(said).toContain('Archipay is ready');
  expect(await end('SIGTERM')).toBe(0);
});

test('an interrupted start leaves no database of its own behind', async () => {
  const { end } = await start({}, () => pidOf() > 0);
  const pid = pidOf();
  expect(await end('SIGTERM')).toBe(0);
  expect(await identify(pid)).toBeUndefined();
});

test('a start gives up waiting for its database at some time', async () => {
  proxy.cutAfter(1, Number.POSITIVE_INFINITY);
  await expect(startAndEnd(proxy.url, 0)).rejects.toThrow(
    /^DATABASE_URL: nothing answers at 127\.0\.0\.1:\d+ \(.+\), for 0 s$/,
  );
});

test('a start ends properly at every point at which the database goes away', async () => {
  proxy.cutAfter(Number.POSITIVE_INFINITY);
  expect(await startAndEnd(proxy.url)).not.toContain(AWAY);
  const words = proxy.said();
  expect(words).toBeGreaterThan(20);
  for (let word = 2; word < words; word = Math.ceil(word * 1.6)) {
    proxy.cutAfter(word, 2);
    await startAndEnd(proxy.url);
  }
});
