import { expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';

const h = await harness({ mock: false });

const development = await harness({ mock: false, config: { NODE_ENV: 'development' } });

const requestOtp = (user_id: number, key = h.key) =>
  h.call('POST /users/request-otp', { key, body: { user_id } });
/** An application's key, which anybody may have, reaches the users who are logged in with it. */
async function loggedIn(user: Person, key = h.key, on = h): Promise<Person> {
  const body = { usernameoremail: user.email, password: user.password };
  const [status, { data }] = await on.call('POST /auth/login', { key, body });
  expect(status).toBe(200);
  return { ...user, token: data.token };
}
const report = (user_id: number, key: string) =>
  h.call('POST /users/psp_update', {
    key,
    body: {
      user_id,
      ekyc_status: 'APPROVED',
      ekyc_verified_at: '2026-01-01T00:00:00Z',
      country_code: 'US',
    },
  });

test('out of mock mode a code goes by WhatsApp, is in no answer, and changes the profile', async () => {
  const as = await loggedIn(await h.user({ phone: '+6281234567890' }));
  expect(await requestOtp(as.user_id)).toEqual([200, { message: expect.any(String) }]);
  const otp_code = await codeTo(h, '+6281234567890');
  expect(await h.messages('+6281234567890')).toMatchObject([{ channel: 'whatsapp' }]);
  const change = (fields: object) =>
    h.call('PUT /users/update_profile/{user_id}', {
      as,
      params: { user_id: as.user_id },
      body: { username: 'Live', current_password: as.password, ...fields },
    });
  expect(await change({})).toMatchObject([400, { error: 'OTP code is required' }]);
  expect((await change({ otp_code }))[0]).toBe(200);
  // Six digits in a row may be part of an id.
  const said = h.logs.join('\n').replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'an id');
  expect(said).not.toContain(otp_code);
});

test('in development a code is in the answer and in the message', async () => {
  const user = await development.user({ phone: '+6281234567899' });
  const { user_id } = await loggedIn(user, development.key, development);
  const asked = await development.call('POST /users/request-otp', { body: { user_id } });
  expect(asked).toEqual([200, { message: expect.any(String), otp: expect.any(String) }]);
  expect(await codeTo(development, '+6281234567899')).toBe(asked[1].otp);
});

test('no phone is flooded with codes', async () => {
  const { user_id } = await loggedIn(await h.user());
  const answers = await Promise.all(Array.from({ length: 6 }, () => requestOtp(user_id)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array(5).fill(429)]);
  await h.advance(31);
  expect((await requestOtp(user_id))[0]).toBe(200);
});

test('a key sends codes to users within its reach; others do not exist for it', async () => {
  const [phone, app] = ['+628111000111', await h.apiKey()];
  const user = await h.user({ phone });
  const withoutId = ([status, { request_id: _, ...told }]: [number, Body]) => [status, told];
  const unknown = withoutId(await requestOtp(2_000_000_000, app));
  expect(unknown).toMatchObject([404, { code: 'USER_NOT_FOUND' }]);
  const colleague = await h.user({ client_id: user.client_id });
  const other = await h.user();
  const keyOf = ({ user_id, client_id }: Person) => h.apiKey({ user_id, client_id });
  await loggedIn(user);
  for (const key of [app, await keyOf(other)])
    expect(withoutId(await requestOtp(user.user_id, key))).toEqual(unknown);
  await h.drain();
  expect(await h.messages(phone)).toEqual([]);

  const operator = await h.operator();
  for (const key of [h.key, await keyOf(colleague), await keyOf(operator)]) {
    expect((await requestOtp(user.user_id, key))[0]).toBe(200);
    await h.advance(31);
  }
  await h.drain();
  expect(await h.messages(phone)).toHaveLength(3);
});

test('an application no longer reaches a user who has logged out', async () => {
  const as = await loggedIn(await h.user());
  expect((await h.call('POST /users/logout', { as, body: {} }))[0]).toBe(200);
  expect((await requestOtp(as.user_id))[0]).toBe(404);
});

test('out of mock mode only a key with the psp scope reports verifications', async () => {
  const user = await h.user({ ekyc_status: 'PENDING' });
  for (const scopes of [['*'], ['users:write'], ['users:*']])
    expect(await report(user.user_id, await h.apiKey({ scopes }))).toMatchObject([
      403,
      { code: 'FORBIDDEN' },
    ]);
  // No other caller learns such a report's data either.
  expect((await h.call('POST /users/psp_update', { body: {} }))[0]).toBe(403);
  const operator = await h.operator();
  const [, { api_key }] = await h.call('POST /keys/sdk-key', {
    as: operator,
    body: { scopes: ['psp'] },
  });
  expect((await report(user.user_id, api_key))[0]).toBe(200);
  // It opens nothing else.
  const params = { user_id: operator.user_id };
  expect((await h.call('GET /users/{user_id}', { as: operator, key: api_key, params }))[0]).toBe(
    403,
  );
});

test('a patient stranger does not get codes without end', async () => {
  const { user_id } = await loggedIn(await h.user({ phone: '+628111222333' }));
  for (let n = 0; n < 10; n += 1) {
    expect((await requestOtp(user_id))[0]).toBe(200);
    await h.advance(31);
  }
  expect(await requestOtp(user_id)).toMatchObject([
    429,
    { error: 'Too many codes requested, try again later' },
  ]);
});
