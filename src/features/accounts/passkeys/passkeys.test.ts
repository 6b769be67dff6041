import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type TestAuthenticator, testAuthenticator } from '#test/authenticator.ts';
import { type TestDevice, testDevice } from '#test/devices.ts';
import { type Body, type CallOptions, harness, type Person } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';

const h = await harness();
const authenticator = () => testAuthenticator(new URL(h.kernel.publicUrl()).origin);
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

const optionsFor = async (as: Person): Promise<Body> =>
  (await h.call('POST /mobile/passkeys/registration-options', { as, body: {} }))[1].data;
async function register(as: Person, key = authenticator(), wrong: Body = {}) {
  const { challenge_id, options } = await optionsFor(as);
  const response = key.register(options, wrong);
  const body = { challenge_id, response, name: 'Ada’s laptop' };
  return h.call('POST /mobile/passkeys', { as, body });
}
async function owner(fields: Body = {}) {
  const user = await h.user(fields);
  const key = authenticator();
  const [, { data: passkey }] = await register(user, key);
  return { user, key, passkey };
}
const begin = async (more: CallOptions = {}): Promise<Body> =>
  (await h.call('POST /mobile/passkeys/login-options', { body: {}, ...more }))[1].data;
async function logIn(key: TestAuthenticator, wrong: Body = {}, device?: TestDevice) {
  const { challenge_id, options } = await begin();
  const from = device ?? (await testDevice(h));
  const response = key.sign(options, wrong);
  return from.call('/mobile/passkeys/login', { challenge_id, response, device: from.description });
}

test('a passkey is added, named, listed and removed', async () => {
  const user = await h.user();
  const [status, { data }] = await register(user);
  expect([status, data]).toMatchObject([
    201,
    {
      passkey_id: expect.stringMatching(/^pky_/),
      name: 'Ada’s laptop',
      last_used_at: null,
      is_synced: false,
    },
  ]);
  const params = { passkey_id: data.passkey_id };
  const body = { name: 'Work' };
  await h.call('PATCH /mobile/passkeys/{passkey_id}', { as: user, params, body });
  const [, { data: list }] = await h.call('GET /mobile/passkeys', { as: user });
  expect(list.items).toEqual([{ ...data, name: 'Work' }]);
  const removed = await h.call('DELETE /mobile/passkeys/{passkey_id}', {
    as: user,
    params,
    body: {},
  });
  expect(removed[0]).toBe(200);
  expect((await h.call('GET /mobile/passkeys', { as: user }))[1].data.items).toEqual([]);
  expect((await mailTo(h, user.email, /passkey was added/)).text).toContain('Ada’s laptop');
  expect((await mailTo(h, user.email, /passkey was removed/)).text).toContain('Work');
});

test('a log-in by passkey is both factors at once', async () => {
  const { user, key } = await owner();
  const { user_id } = user;
  await h.db
    .updateTable('users')
    .set({ twofa_enabled: true })
    .where('user_id', '=', user_id)
    .execute();
  const [status, { data }] = await logIn(key);
  expect([status, data.user.user_id, data.device.is_current]).toEqual([200, user_id, true]);
  expect((await h.call('GET /sessions', { as: data }))[0]).toBe(200);
  expect((await logIn(key))[0]).toBe(200);
});

test('an answer counts once, for its own challenge, caller, page and verified user', async () => {
  const { key } = await owner();
  const device = await testDevice(h);
  const { challenge_id, options } = await begin();
  const sent = { challenge_id, response: key.sign(options), device: device.description };
  const other = await h.apiKey();
  const refused = [401, 'PASSKEY_UNKNOWN'];
  expect(codeOf(await device.call('/mobile/passkeys/login', sent, { key: other }))).toEqual(
    refused,
  );
  expect((await device.call('/mobile/passkeys/login', sent))[0]).toBe(200);
  expect(codeOf(await device.call('/mobile/passkeys/login', sent))).toEqual(refused);
  const replayed = { ...sent, challenge_id: (await begin()).challenge_id };
  expect(codeOf(await device.call('/mobile/passkeys/login', replayed))).toEqual(refused);
  for (const wrong of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { unverified: true },
  ])
    expect(codeOf(await logIn(key, wrong))).toEqual(refused);
  expect(codeOf(await logIn(authenticator()))).toEqual(refused);
});

test('an answer that comes after five minutes is none', async () => {
  const { key } = await owner();
  const device = await testDevice(h);
  const { challenge_id, options } = await begin();
  await h.advance(301);
  const response = key.sign(options);
  const late = { challenge_id, response, device: device.description };
  expect(codeOf(await device.call('/mobile/passkeys/login', late))).toEqual([
    401,
    'PASSKEY_UNKNOWN',
  ]);
});

test('of twenty log-ins at once with one answer one gets in', async () => {
  const { key } = await owner();
  const device = await testDevice(h);
  const { challenge_id, options } = await begin();
  const sent = { challenge_id, response: key.sign(options), device: device.description };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => device.call('/mobile/passkeys/login', sent)),
  );
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
});

test('a count of signatures that goes back is refused and mailed', async () => {
  const { user, key } = await owner();
  expect((await logIn(key, { count: 7 }))[0]).toBe(200);
  expect(codeOf(await logIn(key, { count: 7 }))).toEqual([401, 'PASSKEY_UNKNOWN']);
  expect((await mailTo(h, user.email, /copied/)).text).toContain('backwards');
  expect((await logIn(key, { count: 8 }))[0]).toBe(200);
});

test('a challenge of one user registers no passkey of another', async () => {
  const [one, two] = [await h.user(), await h.user()];
  const { challenge_id, options } = await optionsFor(one);
  const body = { challenge_id, response: authenticator().register(options), name: 'x' };
  expect(codeOf(await h.call('POST /mobile/passkeys', { as: two, body }))).toEqual([
    400,
    'CODE_EXPIRED',
  ]);
  expect((await h.call('POST /mobile/passkeys', { as: one, body }))[0]).toBe(201);
  expect((await h.call('POST /mobile/passkeys', { as: one, body }))[0]).toBe(400);
  for (const wrong of [{ origin: 'https://evil.example' }, { unverified: true }])
    expect(codeOf(await register(one, authenticator(), wrong))).toEqual([400, 'VALIDATION_ERROR']);
});

test('no one names or removes a passkey of another user', async () => {
  const [{ passkey }, thief] = [await owner(), await h.user({ role: 'admin' })];
  const params = { passkey_id: passkey.passkey_id };
  const asked = { as: thief, params };
  const renamed = await h.call('PATCH /mobile/passkeys/{passkey_id}', {
    ...asked,
    body: { name: 'x' },
  });
  const removed = await h.call('DELETE /mobile/passkeys/{passkey_id}', { ...asked, body: {} });
  expect([codeOf(renamed), codeOf(removed)]).toEqual([
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ]);
});

test('a user has at most twenty passkeys', async () => {
  const { user } = await owner();
  const before = await optionsFor(user);
  await h.db
    .insertInto('passkeys')
    .values(
      Array.from({ length: 19 }, (_, n) => ({
        passkey_id: randomUUID(),
        client_id: user.client_id,
        user_id: user.user_id,
        credential_id: `many-${n}`,
        public_key: Buffer.from('x'),
        sign_count: 0,
        is_synced: false,
        name: `${n}`,
      })),
    )
    .execute();
  const { challenge_id, options } = before;
  const body = { challenge_id, response: authenticator().register(options), name: 'x' };
  expect(codeOf(await h.call('POST /mobile/passkeys', { as: user, body }))).toEqual([
    409,
    'LIMIT_EXCEEDED',
  ]);
});

test('a stopped user’s passkey logs no one in, and a reset of the password undoes it', async () => {
  const { user, key } = await owner();
  const set = (user_status: string) =>
    h.db.updateTable('users').set({ user_status }).where('user_id', '=', user.user_id).execute();
  await set('INACTIVE');
  expect(codeOf(await logIn(key))).toEqual([403, 'ACCOUNT_NOT_ACTIVE']);
  await set('ACTIVE');
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const mail = await mailTo(h, user.email, /Reset/);
  expect(mail.text).toContain('passkey Ada’s laptop');
  const body = { token: linkIn(mail).token, new_password: 'a new password', undo: true };
  await h.call('POST /password/reset', { body });
  expect(codeOf(await logIn(key))).toEqual([401, 'PASSKEY_UNKNOWN']);
});
