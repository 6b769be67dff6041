import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { DEMO } from '#src/app/seed.ts';
import { testDatabase } from './database.ts';
import { transactionPooler } from './pooler.ts';
import { callService, serviceStarter } from './service.ts';

const database = await testDatabase();
const watch = new pg.Client({ connectionString: database.url });
await watch.connect();
const start = await serviceStarter();
afterAll(async () => {
  await watch.end();
  await database.close();
});

/** By name, the number of connections to the database besides the pooler's and ours. */
async function connections(): Promise<Record<string, number>> {
  const { rows } = await watch.query<{ name: string; n: number }>(
    `select application_name as name, count(*)::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name not in ('pooler', 'holder')
      group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

async function demoAt(api: string, sandbox: string): Promise<string> {
  const demo = spawn(process.execPath, ['demo/demo.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PUBLIC_URL: api.replace(/\/api$/, ''),
      SANDBOX_PORT: new URL(sandbox).port,
    },
  });
  const [output, complaints] = await Promise.all([
    text(demo.stdout),
    text(demo.stderr),
    once(demo, 'close'),
  ]);
  return `${complaints}${output}`;
}

test('the service works through a pooler that resets sessions', async () => {
  const pooler = await transactionPooler(database.url);
  const settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
  const { api, sandbox, said, end } = await start(settings);
  const other = await start({ ...settings, ROLE: 'api', SANDBOX_PORT: new URL(sandbox).port });
  expect(await demoAt(api, sandbox)).toContain('All steps passed');

  // Notifications arrive on the direct connection: one process ends a session, the other refuses it.
  const { email: usernameoremail, password } = DEMO.user;
  const body = { usernameoremail, password };
  const [, login] = await callService('POST /auth/login', api, { body });
  const { token } = login.data;
  const mode = async () => (await callService('GET /pspb/mode', other.api, { token }))[0];
  expect(await mode()).toBe(200);
  await callService('POST /users/logout', api, { token, body: {} });
  await expect.poll(mode).toBe(401);

  expect(await connections()).toEqual({ 'archipay presence': 2 });
  expect(pooler.refused).toEqual([]);
  expect(pooler.transactions()).toBeGreaterThan(200);
  expect(said()).not.toContain('does not keep its session');
  await other.end('SIGTERM');
  expect(await end('SIGTERM')).toBe(0);
  pooler.close();
});

test('a process has at most twelve connections, also under load', async () => {
  const { api, end } = await start({
    DATABASE_URL: database.url,
    RATE_LIMITS: 'off',
    DB_WAIT: '120',
  });
  const { email: usernameoremail, password } = DEMO.user;
  const [, login] = await callService('POST /auth/login', api, {
    body: { usernameoremail, password },
  });
  const { token } = login.data;
  const card = { card_number: '4111111111111111', currency_code: 'USD' };
  const pay = () =>
    callService('POST /card-checkout/card', api, {
      token,
      body: { ...card, expiry_date: '1239', amount: 10 },
    });
  const lists = () => callService('GET /users/users', api, { token });
  // Readers of users wait for the lock's holder, and each of them has a connection until then.
  const holder = new pg.Client({
    connectionString: database.url,
    application_name: 'holder',
  });
  await holder.connect();
  await holder.query('begin; lock table users in access exclusive mode');
  const all = Promise.all(Array.from({ length: 300 }, (_, n) => (n % 2 ? pay() : lists())));
  await expect.poll(connections).toEqual({ archipay: 11, 'archipay presence': 1 });
  await holder.end();
  let isOver = false;
  void all.finally(() => {
    isOver = true;
  });
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
  // One that has been idle for long is given up, and the server may be ending it while the next one begins.
  const now = async () => sum(await connections());
  while (!isOver) if ((await now()) > 12) await expect.poll(now).toBeLessThanOrEqual(12);
  await all;
  await end('SIGTERM');
});
