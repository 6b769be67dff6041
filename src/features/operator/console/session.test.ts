import { expect, test } from 'vitest';
import { ask, completeSignIn, OWN_PAGE, protectedOperator, signIn } from '#test/console.ts';
import { harness, type Person } from '#test/harness.ts';
import { codeOf, wrongCodeOf } from '#test/two-factor.ts';

const h = await harness({ mock: false, config: { CORS_ORIGINS: 'https://app.example' } });
const operator = await h.operator();
const MINUTE_S = 60;
const EFFECT = { what: 'effect', kind: 'nothing', id: 'nothing' };

const me = (cookie: string) => ask(h, 'GET /console/me', cookie);
const cookieOf = async (person: Person) => (await signIn(h, person)).cookie;
const sessionsOf = async (cookie: string) => (await ask(h, 'GET /sessions', cookie))[1].data;
const change = (person: Person, to: { role?: 'user'; user_status?: string }) =>
  h.db.updateTable('users').set(to).where('user_id', '=', person.user_id).execute();

test('the cookie is valid only from the console’s own page', async () => {
  const cookie = await cookieOf(operator);
  const refused = async (headers: Record<string, string>) => {
    const [status, body] = await h.call('GET /desk/work', { as: 'nobody', headers });
    return [headers, status, body.error?.code];
  };
  const own = { ...OWN_PAGE, cookie };
  expect((await refused(own))[1]).toBe(200);
  for (const site of ['cross-site', 'same-site', 'none', '', 'same-origin, same-origin']) {
    const headers = { ...own, 'sec-fetch-site': site };
    expect(await refused(headers)).toEqual([headers, 401, 'API_KEY_MISSING']);
  }
  for (const headers of [
    { cookie },
    { cookie, 'x-console': '1' },
    { cookie, 'sec-fetch-site': 'same-origin' },
    { ...own, 'x-console': '0' },
  ])
    expect(await refused(headers)).toEqual([headers, 401, 'API_KEY_MISSING']);
});

test('the cookie is ignored beside other credentials', async () => {
  const cookie = await cookieOf(operator);
  const user = await h.user();
  const own = { ...OWN_PAGE, cookie };
  const codeBeside = async (options: object, headers = {}) =>
    (await h.call('GET /desk/work', { ...options, headers: { ...own, ...headers } }))[1].error.code;
  expect(await codeBeside({ as: user })).toBe('FORBIDDEN');
  expect(await codeBeside({ key: 'ak_wrong' })).toBe('API_KEY_INVALID');
  expect(await codeBeside({})).toBe('TOKEN_MISSING');
  expect(await codeBeside({ as: 'nobody' }, { authorization: 'Bearer x.y.z' })).toBe(
    'API_KEY_MISSING',
  );
});

test('a token is valid in its own place alone', async () => {
  const cookie = await cookieOf(operator);
  const [name, token = ''] = cookie.split('=');
  expect((await h.call('GET /sessions', { as: { token } }))[1].code).toBe('TOKEN_INVALID');
  // A token of an application's log-in, put into the cookie.
  const [status, body] = await me(`${name}=${operator.token}`);
  expect([status, body.error.code]).toEqual([401, 'TOKEN_INVALID']);
  for (const forged of ['', 'x', 'a.b.c', `${token}x`, token.replace(/\.[^.]*\./, '.e30.')])
    expect([forged, (await me(`${name}=${forged}`))[0]]).toEqual([forged, 401]);
});

test('an ended log-in is invalid, whatever ended it', async () => {
  const out = await cookieOf(operator);
  const answer = await h.send('DELETE /console/session', {
    as: 'nobody',
    headers: { ...OWN_PAGE, cookie: out },
  });
  expect(answer.headers.getSetCookie()).toEqual([
    'archipay-console=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  ]);
  expect((await me(out))[0]).toBe(401);

  const [first, second] = [await cookieOf(operator), await cookieOf(operator)];
  const { session_id } = (await sessionsOf(first)).find((one: { current: boolean }) => one.current);
  const end = { params: { session_id } };
  expect((await ask(h, 'DELETE /sessions/{session_id}', second, end))[0]).toBe(200);
  expect((await me(first))[0]).toBe(401);
  expect((await me(second))[0]).toBe(200);
});

test('a suspended user, or a former admin, is out at once', async () => {
  for (const [to, status] of [
    [{ user_status: 'INACTIVE' }, 403],
    [{ role: 'user' }, 403],
  ] as const) {
    const person = await h.operator();
    const cookie = await cookieOf(person);
    expect((await me(cookie))[0]).toBe(200);
    await change(person, to);
    await expect.poll(async () => (await me(cookie))[0]).toBe(status);
  }
});

test('a log-in ends after half an hour without requests, and after eight hours anyway', async () => {
  const idle = await cookieOf(operator);
  await h.advance(29 * MINUTE_S);
  expect((await me(idle))[0]).toBe(200);
  await h.advance(29 * MINUTE_S);
  const busy = await cookieOf(operator);
  expect(await sessionsOf(busy)).toContainEqual(expect.objectContaining({ current: true }));
  expect((await me(idle))[0]).toBe(200);
  await h.advance(31 * MINUTE_S);
  const [status, body] = await me(idle);
  expect([status, body.error.code]).toEqual([401, 'TOKEN_EXPIRED']);
  // A later request finds it ended, and the list of open ones does not have it.
  expect((await me(busy))[0]).toBe(401);
  const now = await cookieOf(operator);
  const listed = await sessionsOf(now);
  const atConsole = listed.filter(({ method }: { method: string }) => method === 'console');
  expect(atConsole).toHaveLength(1);

  const { session_until } = (await me(now))[1].data;
  for (let n = 0; n < 19; n += 1) {
    await h.advance(25 * MINUTE_S);
    expect((await me(now))[0]).toBe(200);
  }
  expect(Date.parse(session_until) - h.clock.now().getTime()).toBeLessThan(6 * MINUTE_S * 1000);
  await h.advance(6 * MINUTE_S);
  expect((await me(now))[1].error.code).toBe('TOKEN_EXPIRED');
});

test('activity at the console is recorded once a minute', async () => {
  const cookie = await cookieOf(operator);
  await me(cookie);
  const seen = async () =>
    (
      await h.db
        .selectFrom('sessions')
        .select('seen_at')
        .where('user_id', '=', operator.user_id)
        .where('seen_at', 'is not', null)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
    ).seen_at;
  const first = await seen();
  await h.advance(50);
  await me(cookie);
  expect(await seen()).toBe(first);
  await h.advance(11);
  await me(cookie);
  expect(Date.parse((await seen()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
});

test('dangerous actions need a proof of the last five minutes, by password or code', async () => {
  const person = await protectedOperator(h);
  await h.advance(30);
  await signIn(h, person);
  const { cookie } = await completeSignIn(h, person, codeOf(h, person.secret));
  const tryAgain = async () => {
    const [status, body] = await ask(h, 'POST /desk/work/try-again', cookie, { body: EFFECT });
    return [status, body.error.code];
  };
  const prove = (body: object) => ask(h, 'POST /console/session/prove', cookie, { body });
  // The log-in itself is a proof. There is nothing of that name.
  expect(await tryAgain()).toEqual([404, 'NOT_FOUND']);
  await h.advance(5 * MINUTE_S + 1);
  expect(await tryAgain()).toEqual([403, 'STEP_UP_REQUIRED']);
  expect((await me(cookie))[1].data.proved_until).toBeNull();
  for (const [body, code] of [
    [{}, 'VALIDATION_ERROR'],
    [{ password: 'wrong' }, 'INVALID_PASSWORD'],
    [{ code: wrongCodeOf(h, person.secret) }, 'INVALID_CODE'],
  ] as const)
    expect((await prove(body))[1].error.code).toBe(code);
  expect(await tryAgain()).toEqual([403, 'STEP_UP_REQUIRED']);

  const [status, { data }] = await prove({ password: person.password });
  expect([status, Date.parse(data.proved_until)]).toEqual([200, expect.any(Number)]);
  expect(await tryAgain()).toEqual([404, 'NOT_FOUND']);
  await h.advance(5 * MINUTE_S + 1);
  expect(await tryAgain()).toEqual([403, 'STEP_UP_REQUIRED']);
  const code = codeOf(h, person.secret);
  expect((await prove({ code }))[0]).toBe(200);
  expect(await tryAgain()).toEqual([404, 'NOT_FOUND']);
  // A code counts once.
  expect((await prove({ code }))[0]).toBe(400);
  // The same by key and token: that log-in is old by now.
  const [byKey, body] = await h.call('POST /desk/work/try-again', { as: person, body: EFFECT });
  expect([byKey, body.error.code]).toEqual([403, 'STEP_UP_REQUIRED']);
});

test('a request refused for want of a proof is repeated with its Idempotency-Key', async () => {
  const person = await h.operator();
  const cookie = await cookieOf(person);
  await h.advance(5 * MINUTE_S + 1);
  const options = { headers: { 'idempotency-key': 'again' }, body: EFFECT };
  const tryAgain = () => ask(h, 'POST /desk/work/try-again', cookie, options);
  expect((await tryAgain())[0]).toBe(403);
  const body = { password: person.password };
  expect((await ask(h, 'POST /console/session/prove', cookie, { body }))[0]).toBe(200);
  expect((await tryAgain())[0]).toBe(404);
  // Another user's key of that name is another one.
  const other = await cookieOf(await h.operator());
  const changed = { ...options, body: { ...EFFECT, id: 'other' } };
  expect((await ask(h, 'POST /desk/work/try-again', other, changed))[0]).toBe(404);
  expect((await ask(h, 'POST /desk/work/try-again', cookie, changed))[0]).toBe(422);
});

test('each console user has a budget; an invalid cookie spends the address’s', async () => {
  const limited = await harness({ config: { RATE_LIMITS: 'on' } });
  const send = (cookie: string) =>
    limited.send('GET /console/me', { as: 'nobody', headers: { ...OWN_PAGE, cookie } });
  const left = async (cookie: string) =>
    Number((await send(cookie)).headers.get('x-ratelimit-remaining'));
  const cookies: string[] = [];
  for (const person of [await limited.operator(), await limited.operator()])
    cookies.push((await signIn(limited, person)).cookie);
  for (const cookie of cookies)
    expect([await left(cookie), await left(cookie)]).toEqual([999, 998]);
  expect([await left('archipay-console=a.b.c'), await left('')]).toEqual([999, 998]);
  expect(await left(cookies[0] ?? '')).toBe(997);
});

test('no other origin may send its cookies', async () => {
  for (const origin of ['https://app.example', 'https://evil.example']) {
    const asked = { origin, 'access-control-request-method': 'POST' };
    const headers = { ...asked, 'access-control-request-headers': 'x-console' };
    const preflight = await fetch(`${h.app.apiUrl()}/desk/work`, { method: 'OPTIONS', headers });
    const { cookie } = await signIn(h, operator);
    const answer = await h.send('GET /desk/work', {
      as: 'nobody',
      headers: { ...OWN_PAGE, cookie, origin },
    });
    for (const one of [preflight, answer])
      expect(one.headers.get('access-control-allow-credentials')).toBeNull();
  }
});
