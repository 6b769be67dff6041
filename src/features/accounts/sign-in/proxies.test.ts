import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ config: { TRUST_PROXY: '1' } });

const logInFrom = async (address: string, usernameoremail: string, password: string) => {
  const body = { usernameoremail, password };
  const headers = { 'x-forwarded-for': address };
  return (await h.call('POST /auth/login', { body, headers }))[0];
};

test('guesses at an account lock out no user at another address', async () => {
  const user = await h.user();
  for (let n = 0; n < 10; n += 1)
    expect(await logInFrom('203.0.113.9', user.email, 'wrong')).toBe(401);
  expect(await logInFrom('203.0.113.9', user.email, user.password)).toBe(429);
  expect(await logInFrom('203.0.113.10', user.email, user.password)).toBe(200);
  expect(await logInFrom('203.0.113.9', user.email, user.password)).toBe(429);
});

test('the addresses of one IPv6 network count as one', async () => {
  const user = await h.user();
  for (let n = 0; n < 10; n += 1)
    expect(await logInFrom(`2001:db8:0:7::${n.toString(16)}`, user.email, 'wrong')).toBe(401);
  expect(await logInFrom('2001:db8:0:7:ffff::1', user.email, user.password)).toBe(429);
  expect(await logInFrom('2001:db8:0:8::1', user.email, user.password)).toBe(200);
});
