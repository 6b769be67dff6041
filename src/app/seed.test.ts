import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { DEMO, seed } from './seed.ts';

const h = await harness();

const start = () => seed(h.kernel, h.app.features.afterUser);
const operators = () =>
  h.db
    .selectFrom('users')
    .select('email')
    .where('client_id', '=', 1)
    .where('role', '=', 'admin')
    .execute();
const logIn = ({ email, password }: { email: string; password: string }) =>
  h.call('POST /auth/login', { body: { usernameoremail: email, password }, key: DEMO.apiKey });

test('the first start makes the people and the key that it prints, once by how many processes', async () => {
  await Promise.all([start(), start(), start()]);
  for (const person of [DEMO.operator, DEMO.admin, DEMO.user])
    expect((await logIn(person))[0]).toBe(200);
  expect(await operators()).toEqual([{ email: DEMO.operator.email }]);
});

test('the codes of the first clients say the month in which they were made', async () => {
  await start();
  const clients = await h.db
    .selectFrom('clients')
    .select(['client_code', 'created'])
    .where('client_id', 'in', [1, 2])
    .execute();
  expect(clients).toHaveLength(2);
  for (const { client_code, created } of clients)
    expect(client_code.slice(3, 9)).toBe(created.slice(0, 7).replace('-', ''));
});

test('a user who has moved to another address does not come back with the old password', async () => {
  await start();
  const moved = 'moved@archipay.example';
  await h.db
    .updateTable('users')
    .set({ email: moved })
    .where('email', '=', DEMO.operator.email)
    .execute();
  await start();
  expect(await operators()).toEqual([{ email: moved }]);
  expect((await logIn(DEMO.operator))[0]).toBe(401);
});

const tried = await harness();
const seedAs = (NODE_ENV: 'development' | 'production') =>
  seed(
    { ...tried.kernel, config: { ...tried.kernel.config, NODE_ENV } },
    tried.app.features.afterUser,
  );
const enter = ({ email, password }: { email: string; password: string }) =>
  tried.call('POST /auth/login', { body: { usernameoremail: email, password } });

test('production accepts none of the README’s credentials, even on a database tried out before', async () => {
  await seedAs('development');
  const [, { data }] = await enter(DEMO.operator);
  const list = { as: data, key: DEMO.apiKey };
  expect((await tried.call('GET /clients', list))[0]).toBe(200);
  const own = await tried.user({ client_id: 2 });
  await tried.db
    .updateTable('users')
    .set({ email: 'moved@demo.example' })
    .where('username', '=', 'demo-admin')
    .execute();

  await seedAs('production');
  for (const person of [
    DEMO.operator,
    DEMO.user,
    { ...DEMO.admin, email: 'moved@demo.example' },
    { ...DEMO.admin, email: 'demo-admin' },
  ])
    expect((await enter(person))[0]).toBe(401);
  expect((await tried.call('GET /clients', { as: data }))[1]).toMatchObject({
    code: 'TOKEN_INVALID',
  });
  expect((await tried.call('GET /clients', list))[1]).toMatchObject({ code: 'API_KEY_INVALID' });
  expect((await enter(own))[0]).toBe(200);
});

test('a demo user with a password of their own keeps it in production', async () => {
  await seedAs('development');
  const password = 'Nobody-else-knows-1';
  await tried.db
    .updateTable('users')
    .set({ password_hash: await tried.kernel.passwords.hash(password) })
    .where('email', '=', DEMO.user.email)
    .execute();
  await seedAs('production');
  expect((await enter({ ...DEMO.user, password }))[0]).toBe(200);
});
