import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ask, completeSignIn, OWN_PAGE, protectedOperator, signIn } from '#test/console.ts';
import { harness, type Person } from '#test/harness.ts';
import { codeOf, complete, logIn, wrongCodeOf } from '#test/two-factor.ts';

const h = await harness({ mock: false });
const strict = await harness({ mock: false, config: { OPERATOR_2FA: 'required' } });
const secure = await harness({ config: { PUBLIC_URL: 'https://pay.example' } });

const codeIn = ({ body }: { body: { error?: { code?: string } } }) => body.error?.code;
const me = (cookie: string, on = h) => ask(on, 'GET /console/me', cookie);
const operator = await h.operator();

test('an operator’s admin logs in by password and gets a cookie that scripts cannot read', async () => {
  const { status, body, set, cookie } = await signIn(h, operator);
  expect([status, body.data]).toEqual([200, { state: 'signed_in', user_id: operator.user_id }]);
  expect(set).toMatch(
    /^archipay-console=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
  );
  expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1]);
  const [asked, { data }] = await me(cookie);
  expect(asked).toBe(200);
  expect(data).toEqual({
    user: {
      user_id: operator.user_id,
      client_id: 1,
      username: operator.username,
      email: operator.email,
      role: 'admin',
      second_factor: false,
    },
    home: 'operator',
    organisation: 'Operator',
    team_role: 'owner',
    may: expect.arrayContaining(['desk:read', 'team:write']),
    state: 'signed_in',
    session_until: expect.any(String),
    idle_until: expect.any(String),
    proved_until: expect.any(String),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
  expect((await ask(h, 'GET /desk/work', cookie))[0]).toBe(200);
});

test('over HTTPS the cookie is sent by HTTPS alone, and to this host alone', async () => {
  const { email, password } = await secure.operator();
  const { port } = secure.app.server.server.address() as AddressInfo;
  const send = (path: string, method: string, more: { cookie?: string; body?: object } = {}) =>
    fetch(`http://127.0.0.1:${port}/api/console/${path}`, {
      method,
      headers: {
        ...OWN_PAGE,
        'content-type': 'application/json',
        ...(more.cookie && { cookie: more.cookie }),
      },
      ...(more.body && { body: JSON.stringify(more.body) }),
    });
  const body = { usernameoremail: email, password };
  const [set = ''] = (await send('session', 'POST', { body })).headers.getSetCookie();
  expect(set).toMatch(
    /^__Host-archipay-console=.*; Path=\/; .*; HttpOnly; SameSite=Strict; Secure$/,
  );
  const cookie = set.split(';')[0] ?? '';
  expect((await send('me', 'GET', { cookie })).status).toBe(200);
  // A page of the same domain could have set the cookie's name without HTTPS.
  const planted = cookie.replace('__Host-', '');
  expect((await send('me', 'GET', { cookie: planted })).status).toBe(401);
});

test('a log-in shows no user’s existence; users are refused after the password', async () => {
  const other = await h.user();
  const plain = await h.user({ client_id: 1 });
  for (const person of [other, plain, operator])
    expect(codeIn(await signIn(h, { ...person, password: 'wrong' }))).toBe('INVALID_CREDENTIALS');
  const nobody = await signIn(h, { email: 'nobody@example.test', password: 'wrong' });
  const wrong = await signIn(h, { ...other, password: 'wrong' });
  const told = ({ body: { request_id: _, timestamp: __, ...rest } }: typeof wrong) => rest;
  expect([nobody.status, told(nobody)]).toEqual([wrong.status, told(wrong)]);
  for (const person of [other, plain]) {
    const refused = await signIn(h, person);
    expect([refused.status, codeIn(refused), refused.set]).toEqual([403, 'FORBIDDEN', '']);
  }
});

test('wrong passwords count together with those at the API’s log-in', async () => {
  const person = await h.operator();
  for (let n = 0; n < 5; n += 1) {
    await signIn(h, { ...person, password: 'wrong' });
    await logIn(h, { ...person, password: 'wrong' });
  }
  expect(codeIn(await signIn(h, person))).toBe('RATE_LIMITED');
  expect((await logIn(h, person))[0]).toBe(429);
});

test('only the console’s own page logs users in', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
    { 'x-console': '' },
  ]) {
    const refused = await signIn(h, operator, headers);
    expect([headers, refused.status, refused.set]).toEqual([headers, 403, '']);
    const half = await completeSignIn(h, operator, '123456', headers);
    expect([headers, half.status]).toEqual([headers, 403]);
  }
});

test('a second factor completes the password; wrong, used and foreign codes do not', async () => {
  const person = await protectedOperator(h);
  // The code that enabled it is used up.
  await h.advance(30);
  const half = await signIn(h, person);
  expect(half.body.data).toEqual({
    state: 'second_factor',
    user_id: person.user_id,
    methods: ['authenticator', 'backup_code'],
  });
  expect(half.set).toBe('');
  expect(codeIn(await completeSignIn(h, person, wrongCodeOf(h, person.secret)))).toBe(
    'INVALID_CODE',
  );
  const code = codeOf(h, person.secret);
  const done = await completeSignIn(h, person, code);
  expect(done.body.data).toEqual({ state: 'signed_in', user_id: person.user_id });
  expect((await me(done.cookie))[1].data.user.second_factor).toBe(true);
  // It cannot be completed twice, and the code opens no other one.
  expect((await completeSignIn(h, person, code)).status).toBe(401);
  await signIn(h, person);
  expect((await completeSignIn(h, person, code)).status).toBe(401);
});

test('no API key completes a console log-in that waits, nor the reverse', async () => {
  const person = await protectedOperator(h);
  await h.advance(30);
  await signIn(h, person);
  const code = codeOf(h, person.secret);
  for (const key of [h.key, await h.apiKey(person), await h.apiKey({ client_id: 1 })]) {
    expect((await complete(h, person, code, { key }))[0]).toBe(401);
    const body = { user_id: person.user_id, token: code };
    expect((await h.call('POST /2fa/verify-login', { key, body }))[0]).toBe(400);
  }
  expect((await completeSignIn(h, person, code)).status).toBe(200);
  await h.advance(30);
  expect((await logIn(h, person))[1].requires_2fa).toBe(true);
  expect((await completeSignIn(h, person, codeOf(h, person.secret))).status).toBe(401);
  expect((await complete(h, person, codeOf(h, person.secret)))[0]).toBe(200);
});

test('a former admin of the operator cannot complete a log-in', async () => {
  const person = await protectedOperator(h);
  await h.advance(30);
  await signIn(h, person);
  await change(person, { role: 'user' });
  const refused = await completeSignIn(h, person, codeOf(h, person.secret));
  expect([refused.status, refused.set]).toEqual([403, '']);
});

test('where a second factor is required, a user without one can only set one up', async () => {
  const person = await strict.operator();
  const { body, cookie } = await signIn(strict, person);
  expect(body.data.state).toBe('set_up_second_factor');
  expect((await me(cookie, strict))[1].data.state).toBe('set_up_second_factor');
  for (const id of ['GET /desk/work', 'GET /admins/audit', 'GET /sessions'] as const)
    expect((await ask(strict, id, cookie))[0]).toBe(403);
  const [, made] = await ask(strict, 'POST /2fa/setup', cookie, { body: {} });
  const token = codeOf(strict, made.data.secret);
  expect((await ask(strict, 'POST /2fa/enable', cookie, { body: { token } }))[0]).toBe(200);
  // It is required from now on; this log-in has not shown it.
  expect((await ask(strict, 'GET /desk/work', cookie))[0]).toBe(403);
  await strict.advance(30);
  expect((await signIn(strict, person)).body.data.state).toBe('second_factor');
  const done = await completeSignIn(strict, person, codeOf(strict, made.data.secret));
  expect(done.body.data.state).toBe('signed_in');
  expect((await ask(strict, 'GET /desk/work', done.cookie))[0]).toBe(200);
});

test('a log-in is a new session, whatever cookie was there before', async () => {
  const planted = (await signIn(h, operator)).cookie;
  const victim = await h.operator();
  const { cookie } = await signIn(h, victim, { cookie: planted });
  expect(cookie).not.toBe(planted);
  expect((await me(cookie))[1].data.user.user_id).toBe(victim.user_id);
  expect((await me(planted))[1].data.user.user_id).toBe(operator.user_id);
  // A second cookie of a stranger invalidates both.
  for (const both of [`${cookie}; ${planted}`, `${planted}; ${cookie}`])
    expect((await me(both))[0]).toBe(401);
});

test('a repeated answer, by its Idempotency-Key, opens no other session', async () => {
  const headers = { ...OWN_PAGE, 'idempotency-key': 'once' };
  const body = { usernameoremail: operator.email, password: operator.password };
  const send = () => h.send('POST /console/session', { as: 'nobody', headers, body });
  const first = await send();
  const again = await send();
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
});

test('log-ins and log-outs are logged, with their session', async () => {
  const person = await h.operator();
  const { cookie } = await signIn(h, person);
  const [, { data }] = await ask(h, 'GET /sessions', cookie);
  const own = data.find(({ current }: { current: boolean }) => current);
  expect(own).toMatchObject({ method: 'console', current: true });
  expect((await ask(h, 'DELETE /console/session', cookie))[0]).toBe(200);
  const [, audit] = await h.call('GET /admins/audit', { as: operator });
  const mine = audit.entries.filter(
    (entry: { actor_user_id: number }) => entry.actor_user_id === person.user_id,
  );
  expect(mine).toMatchObject([
    { action: 'CONSOLE_SIGNED_OUT', details: { session_id: own.session_id } },
    { action: 'CONSOLE_SIGNED_IN', details: { session_id: own.session_id, method: 'password' } },
  ]);
});

const change = (person: Person, to: { role?: 'user'; user_status?: string }) =>
  h.db.updateTable('users').set(to).where('user_id', '=', person.user_id).execute();
