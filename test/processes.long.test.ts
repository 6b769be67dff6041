import { expect, test } from 'vitest';
import { DEMO } from '#src/app/seed.ts';
import { freePorts } from '../chaos/fleet/ports.ts';
import { callService, serviceStarter } from './service.ts';

const start = await serviceStarter();

test('processes that start at once on an empty folder form one service', async () => {
  const [SANDBOX_PORT = '', SANDBOX_SMTP_PORT = '', WORKER_PORT = ''] = (await freePorts(3)).map(
    String,
  );
  const shared = { SANDBOX_PORT, SANDBOX_SMTP_PORT, RATE_LIMITS: 'off' };
  const [one, other] = await Promise.all([
    start({ ...shared, ROLE: 'api' }),
    start({ ...shared, ROLE: 'api' }),
    start({ ...shared, ROLE: 'worker', WORKER_PORT }),
  ]);
  const at = (n: number) => (n % 2 === 0 ? one : other).api;
  const { email, password } = DEMO.user;
  const login = { usernameoremail: email, password };
  const logIn = async () =>
    (await callService('POST /auth/login', one.api, { body: login }))[1].data.token as string;

  // A worker answers health checks, and nothing else.
  const worker = `http://localhost:${WORKER_PORT}`;
  expect(await callService('GET /health/ready', worker)).toMatchObject([200, { role: 'worker' }]);
  expect((await fetch(`${worker}/metrics`)).status).toBe(200);
  expect((await callService('POST /api/auth/login', worker, { body: login }))[0]).toBe(404);

  // The other refuses the ended session.
  const token = await logIn();
  const [, made] = await callService('POST /keys/sdk-key', one.api, { token, body: {} });
  const key = made.api_key as string;
  const mode = async (api: string, as: { token: string; key?: string }) =>
    (await callService('GET /pspb/mode', api, as))[0];
  expect(await mode(other.api, { token, key })).toBe(200);
  await callService(`DELETE /keys/sdk-key/${key}`, one.api, { token });
  await expect.poll(() => mode(other.api, { token, key })).toBe(401);
  expect(await mode(one.api, { token })).toBe(200);
  await callService('POST /users/logout', other.api, { token, body: {} });
  await expect.poll(() => mode(one.api, { token })).toBe(401);

  // Both move money, and never more than the balance.
  const again = await logIn();
  const card = { card_number: '4111111111111111', currency_code: 'USD' };
  const topUps = Array.from({ length: 10 }, (_, n) =>
    callService('POST /card-checkout/card', at(n), {
      token: again,
      body: { ...card, expiry_date: '1239', amount: 10 },
    }),
  );
  expect((await Promise.all(topUps)).map(([status]) => status)).toEqual(Array(10).fill(200));
  const pushes = Array.from({ length: 20 }, (_, n) =>
    callService('POST /card-checkout/card/manual_refund', at(n), {
      token: again,
      body: { ...card, amount: 9.7, recipient_name: 'Ann Other' },
    }),
  );
  const statuses = (await Promise.all(pushes)).map(([status]) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(10).fill(400)]);

  // The worker does the others' jobs, once; and all share the clock.
  await callService('POST /password/request_reset', other.api, { body: { email } });
  const inbox = async () =>
    (await callService(`GET /messages?to=${email}`, `http://localhost:${SANDBOX_PORT}`))[1].length;
  await expect.poll(inbox).toBe(1);
  const before = Date.now();
  await callService('POST /clock', `http://localhost:${SANDBOX_PORT}`, {
    body: { advance_s: 7200 },
  });
  const aheadAt = async (api: string) => {
    const [, { timestamp }] = await callService('GET /extauth/health', api, { token: again });
    return Date.parse(timestamp) - before >= 7_200_000;
  };
  await expect.poll(() => aheadAt(one.api)).toBe(true);
  await expect.poll(() => aheadAt(other.api)).toBe(true);

  // The database, started by one of them, stays while another needs it.
  expect(await one.end('SIGTERM')).toBe(0);
  expect(await mode(other.api, { token: await loginAt(other.api, login) })).toBe(200);
});

const loginAt = async (api: string, body: object): Promise<string> =>
  (await callService('POST /auth/login', api, { body }))[1].data.token;
