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

test('whoever has moved to another address does not come back with the old password', async () => {
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
