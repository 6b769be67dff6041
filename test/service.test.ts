import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stopLeftover } from '#kernel/db/embedded.ts';
import { DEMO } from '#src/seed.ts';

/** The service as a person starts it: a process of its own, on a folder of its own. */
const dataDir = await mkdtemp(join(tmpdir(), 'archipay-service-'));
const running = new Set<ChildProcess>();

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await stopLeftover(join(dataDir, 'postgres'));
  await rm(dataDir, { recursive: true, force: true });
});

interface Service {
  readonly api: string;
  readonly sandbox: string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

async function start(extra: Record<string, string> = {}): Promise<Service> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      LOG_LEVEL: 'error',
      ...extra,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  child.stdout.on('data', (part: Buffer) => (said += part));
  child.stderr.on('data', (part: Buffer) => (said += part));
  const ended = once(child, 'exit');
  await Promise.race([
    ended.then(([code]) => {
      throw new Error(`ended with ${code}: ${said}`);
    }),
    expect.poll(() => said, { timeout: 60_000, interval: 50 }).toContain('User  '),
  ]);
  const place = (name: string) => new RegExp(`${name} +(http\\S+)`).exec(said)?.[1] ?? '';
  return {
    api: place('API'),
    sandbox: place('Sandbox'),
    async end(signal) {
      child.kill(signal);
      const [code] = await ended.catch(() => [null]);
      running.delete(child);
      return code as number | null;
    },
  };
}

const post = async (url: string, body: object) => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': DEMO.apiKey },
    body: JSON.stringify(body),
  });
  return [reply.status, await reply.json()] as const;
};

const logIn = (api: string) =>
  post(`${api}/auth/login`, { usernameoremail: DEMO.user.email, password: DEMO.user.password });

const makeClient = (api: string, email: string) =>
  post(`${api}/clients/create_with_admin`, {
    email,
    client_alias: 'Kept Company',
    client_type: 'BUSINESS',
    country_code: 'US',
    phone: '+15550100',
  });

test('it starts with demo data, stops gracefully, and has everything after it was killed', async () => {
  const first = await start();
  expect((await logIn(first.api))[0]).toBe(200);
  expect((await makeClient(first.api, 'kept-1@example.test'))[0]).toBe(201);
  expect(await first.end('SIGTERM')).toBe(0);

  const second = await start();
  expect(await makeClient(second.api, 'kept-1@example.test')).toMatchObject([409, {}]);
  expect((await makeClient(second.api, 'kept-2@example.test'))[0]).toBe(201);
  await second.end('SIGKILL');

  const third = await start();
  expect((await makeClient(third.api, 'kept-2@example.test'))[0]).toBe(409);
  expect((await logIn(third.api))[0]).toBe(200);
  expect(await third.end('SIGINT')).toBe(0);
}, 120_000);

test('production names what it lacks, and never runs in mock mode', async () => {
  await expect(start({ NODE_ENV: 'production' })).rejects.toThrow(/MASTER_KEY, JWT_SECRET/);
  await expect(start({ NODE_ENV: 'production', MOCK_MODE: 'true' })).rejects.toThrow(/MOCK_MODE/);
}, 60_000);
