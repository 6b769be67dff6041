import { expect, test } from 'vitest';
import { whilePasswordChanges } from '#test/changing-password.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

const logIn = (usernameoremail: unknown, password: unknown, headers = {}) =>
  h.call('POST /auth/login', { body: { usernameoremail, password }, headers });

test('a password and an e-mail or a username, in any case, give a token that works', async () => {
  const { client_id } = await h.client({ country_code: 'ID' });
  const user = await h.user({ client_id, username: 'Ayu.Lestari', ekyc_status: 'APPROVED' });
  for (const name of [user.email, user.username, 'AYU.LESTARI', user.email.toUpperCase()]) {
    const [status, body] = await logIn(name, user.password);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: expect.any(String),
        requires_2fa: false,
        data: {
          token: expect.any(String),
          user: {
            user_id: user.user_id,
            email: user.email,
            role: 'user',
            username: user.username,
            phone: expect.stringMatching(/^\+1555/),
            ekyc_status: 'APPROVED',
          },
          client: {
            client_id,
            client_type: 'BUSINESS',
            client_status: 'PENDING',
            ekyc_status: 'PENDING',
            ekyb_status: 'PENDING',
          },
        },
      },
    ]);
    expect((await h.call('GET /sessions', { as: body.data }))[0]).toBe(200);
  }
});

test('spaces around a name count only where a username has them', async () => {
  const user = await h.user({ username: ' Toko Maju ', email: 'toko@example.test' });
  for (const name of [' Toko Maju ', `  ${user.email} `])
    expect((await logIn(name, user.password))[0]).toBe(200);
  expect((await logIn('Toko Maju', user.password))[0]).toBe(401);
});

test('a user without a verification has that in the answer', async () => {
  const user = await h.user();
  const [, body] = await logIn(user.email, user.password);
  expect(body.data.user.ekyc_status).toBe('Not yet Submit');
});

test('a request without a name or a password, or with wrong types, is 400', async () => {
  const bodies = [
    {},
    { usernameoremail: 'a' },
    { password: 'b' },
    { usernameoremail: '', password: 'b' },
    { usernameoremail: 'a', password: '' },
    { usernameoremail: 7, password: 'b' },
    { usernameoremail: { $ne: null }, password: { $ne: null } },
    { usernameoremail: null, password: null },
    { usernameoremail: 'x'.repeat(255), password: 'b' },
    { usernameoremail: 'a', password: 'x'.repeat(1025) },
  ];
  for (const body of bodies)
    expect(await h.call('POST /auth/login', { body })).toMatchObject([
      400,
      { success: false, error: 'Username or email and password are required' },
    ]);
  expect(await h.call('POST /auth/login', { as: 'nobody', body: {} })).toMatchObject([
    401,
    { success: false, code: 'API_KEY_MISSING' },
  ]);
});

test('an unknown user and a wrong password get the same 401', async () => {
  const user = await h.user();
  const [known, wrong] = await logIn(user.email, 'not the password');
  const [unknown, nobody] = await logIn('nobody@example.test', 'not the password');
  expect([known, unknown]).toEqual([401, 401]);
  const { request_id: _, ...told } = wrong;
  expect(told).toEqual({
    success: false,
    error: 'Invalid credentials',
    code: 'INVALID_CREDENTIALS',
    hint: expect.any(String),
    doc_url: expect.any(String),
  });
  expect({ ...nobody, request_id: wrong.request_id }).toEqual(wrong);
});

test('a user without a password cannot log in with any', async () => {
  const user = await h.user();
  await h.db
    .updateTable('users')
    .set({ password_hash: null })
    .where('user_id', '=', user.user_id)
    .execute();
  expect((await logIn(user.email, user.password))[0]).toBe(401);
});

test('where several users match, the password decides', async () => {
  const email = 'twice@example.test';
  const [first, second] = [await h.user({ email }), await h.user({ email })];
  const [, one] = await logIn(email, first.password);
  const [, two] = await logIn(email, second.password);
  expect([one.data.user.user_id, two.data.user.user_id]).toEqual([first.user_id, second.user_id]);
});

test('of users with the same password, the one of the API key comes first', async () => {
  const shared = { username: 'till', password: 'the same password' };
  await h.user(shared);
  const second = await h.user(shared);
  const key = await h.apiKey({ client_id: second.client_id });
  const body = { usernameoremail: 'till', password: shared.password };
  const [, told] = await h.call('POST /auth/login', { key, body });
  expect(told.data.user.user_id).toBe(second.user_id);
});

test('of two accounts with the same password, the active one is logged in', async () => {
  const shared = { email: 'both@example.test', password: 'the same password' };
  const [old, current] = [await h.user(shared), await h.user(shared)];
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', old.user_id)
    .execute();
  const [, { data }] = await logIn(shared.email, shared.password);
  expect(data.user.user_id).toBe(current.user_id);
});

test('accounts that others created of the same address push no user out', async () => {
  const email = 'wanted@example.test';
  for (let n = 0; n < 6; n += 1) await h.user({ email });
  const user = await h.user({ email });
  expect((await logIn(email, user.password))[0]).toBe(401);
  const confirmed = { confirmed_at: h.clock.now().toISOString() };
  await h.db.updateTable('users').set(confirmed).where('user_id', '=', user.user_id).execute();
  expect((await logIn(email, user.password))[0]).toBe(200);
});

test('a password that changes during its check opens nothing', async () => {
  const user = await h.user();
  const entering = () => logIn(user.email, user.password);
  expect((await whilePasswordChanges(h, user.user_id, entering))[0]).toBe(401);
});

test.each(['INACTIVE', 'PENDING'])('an account that is %s is 403', async (user_status) => {
  const user = await h.user();
  await h.db
    .updateTable('users')
    .set({ user_status })
    .where('user_id', '=', user.user_id)
    .execute();
  expect(await logIn(user.email, user.password)).toMatchObject([
    403,
    { success: false, error: 'Account is not active', code: 'ACCOUNT_NOT_ACTIVE' },
  ]);
  expect((await logIn(user.email, 'not the password'))[0]).toBe(401);
});

test('a user whose verification was rejected is 403', async () => {
  const user = await h.user({ ekyc_status: 'REJECTED' });
  expect(await logIn(user.email, user.password)).toMatchObject([
    403,
    { success: false, error: expect.stringContaining('rejected') },
  ]);
});

test('after ten wrong passwords even the right one waits, for 15 minutes at most', async () => {
  const user = await h.user();
  for (let n = 0; n < 10; n += 1) expect((await logIn(user.email, `wrong ${n}`))[0]).toBe(401);
  await h.advance(300);
  const body = { usernameoremail: user.username, password: user.password };
  const refused = await h.send('POST /auth/login', { body });
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(500);
  expect(wait).toBeLessThanOrEqual(600);
  expect((await logIn('somebody-else', 'wrong'))[0]).toBe(401);
  await h.advance(wait);
  expect((await logIn(user.email, user.password))[0]).toBe(200);
});

test('an unknown name is slowed down like a known one', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await logIn('no.such.user', 'wrong'))[0]);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
});

test('concurrent wrong passwords count like sequential ones', async () => {
  const user = await h.user();
  const tries = Array.from({ length: 20 }, (_, n) => logIn(user.email, `wrong ${n}`));
  const statuses = (await Promise.all(tries)).map(([status]) => status).sort();
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  expect((await logIn(user.email, user.password))[0]).toBe(429);
});

test('a log-in forgets the failures before it', async () => {
  const user = await h.user();
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 6; n += 1) expect((await logIn(user.email, 'wrong'))[0]).toBe(401);
    expect((await logIn(user.email, user.password))[0]).toBe(200);
  }
});

test('many concurrent right log-ins all succeed', async () => {
  const user = await h.user();
  const tries = Array.from({ length: 20 }, () => logIn(user.email, user.password));
  const tokens = new Set((await Promise.all(tries)).map(([, body]) => body.data?.token));
  expect(tokens.size).toBe(20);
});

// The answer is a token, and others may know the API key and the idempotency key.
test('a repeated Idempotency-Key gives the same token and opens no other session', async () => {
  const user = await h.user();
  const headers = { 'idempotency-key': 'log-in' };
  const [, { data: as }] = await logIn(user.email, user.password, headers);
  expect(await logIn(user.email, user.password, headers)).toMatchObject([
    200,
    { data: { token: as.token } },
  ]);
  const [, { data }] = await h.call('GET /sessions', { as });
  expect(data).toHaveLength(2);
});

test('passwords and tokens are in no log and not in the database', async () => {
  const user = await h.user({ password: 'a very secret password' });
  const [, { data }] = await logIn(user.email, user.password);
  await logIn(user.email, 'another secret password');
  const rows = JSON.stringify([
    await h.db.selectFrom('sessions').selectAll().execute(),
    await h.db.selectFrom('login_failures').selectAll().execute(),
    h.logs,
  ]);
  for (const secret of [user.password, 'another secret password', data.token])
    expect(rows).not.toContain(secret);
});
