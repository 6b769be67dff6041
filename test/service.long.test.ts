import { expect, test } from 'vitest';
import { DEMO } from '#src/app/seed.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { callService, serviceStarter } from './service.ts';

const start = await serviceStarter();

const post = (url: string, body: object) => callService('POST', url, { body });

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

test('the service starts with demo data, stops gracefully, and survives a kill', async () => {
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
});

test('production names what it lacks, and never runs in mock mode', async () => {
  await expect(start({ NODE_ENV: 'production' })).rejects.toThrow(/MASTER_KEY, JWT_SECRET/);
  await expect(start({ NODE_ENV: 'production', MOCK_MODE: 'true' })).rejects.toThrow(/MOCK_MODE/);
});

test('a start out of mock mode lists providers, and warns of each missing one', async () => {
  const { said, end } = await start({
    ...newSecrets(),
    NODE_ENV: 'production',
    EMBEDDED_DATABASE: 'allow',
    LOG_LEVEL: 'warn',
    SMTP_URL: 'smtp://127.0.0.1:9',
    PSP_A_URL: 'https://psp.example',
  });
  expect(said()).toMatch(/^ +email +SMTP_URL +configured$/m);
  expect(said()).toMatch(/^ +psp-a +PSP_A_KEY +NOT CONFIGURED$/m);
  expect(said()).toMatch(/^ +amoy +EVM_AMOY_RPC_URL +NOT CONFIGURED$/m);
  const warned = () =>
    said()
      .split('\n')
      .filter((line) => line.includes('a provider is not configured'))
      .map((line) => JSON.parse(line).provider);
  // Lines of the log are written together, after a moment.
  await expect.poll(warned).toContain('neon');
  expect(warned()).toContain('psp-a');
  expect(warned()).not.toContain('email');
  expect(await end('SIGTERM')).toBe(0);
});
