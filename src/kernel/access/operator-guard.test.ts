import { expect, test } from 'vitest';
import { protectedOperator } from '#test/console.ts';
import { enter, link, newAccount, tokenOf } from '#test/external-login.ts';
import { type CallOptions, harness, type Person } from '#test/harness.ts';
import { codeOf, complete, logIn } from '#test/two-factor.ts';

const strict = await harness({ mock: false, config: { OPERATOR_2FA: 'required' } });
const live = await harness({ mock: false });
const mock = await harness();

const code = ([status, body]: readonly [number, { code?: string; error?: { code: string } }]) => [
  status,
  body.code ?? body.error?.code,
];
const NEEDS_FACTOR = [403, 'SECOND_FACTOR_REQUIRED'];
const UNPROVEN = [403, 'STEP_UP_REQUIRED'];

/** Dangerous, and changes nothing: there is no such client. */
const DANGEROUS = 'POST /clients/{client_id}/stop' as const;
const dangerous: CallOptions = { params: { client_id: 999_999 }, body: { reason: 'A test' } };
const SIX_MINUTES_S = 360;

async function loggedIn(h: typeof live, person: Person): Promise<Person> {
  const [status, { data }] = await logIn(h, person);
  expect(status).toBe(200);
  return { ...person, token: data.token };
}

test('an operator without a second factor gets a log-in by key that opens what sets one up, and nothing else', async () => {
  const as = await loggedIn(strict, await strict.operator());
  for (const id of ['GET /adjustments', 'GET /desk/work', 'GET /sessions'] as const)
    expect(code(await strict.call(id, { as }))).toEqual(NEEDS_FACTOR);
  expect(code(await strict.call(DANGEROUS, { as, ...dangerous }))).toEqual(NEEDS_FACTOR);
  expect((await strict.call('GET /2fa/status', { as }))[0]).toBe(200);
  const [, { data }] = await strict.call('POST /2fa/setup', { as, body: {} });
  const body = { token: codeOf(strict, data.secret) };
  expect((await strict.call('POST /2fa/enable', { as, body }))[0]).toBe(200);
  // That log-in stays what it was: a new one takes a code.
  expect(code(await strict.call('GET /adjustments', { as }))).toEqual(NEEDS_FACTOR);
  await logIn(strict, as);
  const [status, done] = await complete(strict, as, codeOf(strict, data.secret, 1));
  expect(status).toBe(200);
  expect((await strict.call('GET /adjustments', { as: done.data }))[0]).toBe(200);
  expect((await strict.call('POST /users/logout', { as }))[0]).toBe(200);
});

test('an external log-in opens no more to an operator without a second factor', async () => {
  const operator = await strict.operator();
  const account = newAccount();
  await strict.db
    .insertInto('ext_identities')
    .values({ ext_user_id: account.id, user_id: operator.user_id })
    .execute();
  const [status, { data }] = await enter(strict, await tokenOf(strict, account));
  expect(status).toBe(200);
  expect(code(await strict.call('GET /desk/work', { as: data }))).toEqual(NEEDS_FACTOR);
});

test('a log-in with a code is worth less once the second factor is gone', async () => {
  const session = await strict.operator();
  await strict.db
    .updateTable('users')
    .set({ twofa_enabled: true })
    .where('user_id', '=', session.user_id)
    .execute();
  const { token } = await strict.kernel.sessions.open(strict.db, {
    user_id: session.user_id,
    method: 'totp',
  });
  expect((await strict.call('GET /desk/work', { as: { token } }))[0]).toBe(200);
  await strict.db
    .updateTable('users')
    .set({ twofa_enabled: false })
    .where('user_id', '=', session.user_id)
    .execute();
  strict.kernel.credentials.forget('user', session.user_id);
  expect(code(await strict.call('GET /desk/work', { as: { token } }))).toEqual(NEEDS_FACTOR);
});

test("clients' admins and users need no second factor", async () => {
  for (const role of ['admin', 'user'] as const) {
    const as = await loggedIn(strict, await strict.user({ role }));
    expect((await strict.call('GET /sessions', { as }))[0]).toBe(200);
  }
});

test('what is dangerous takes a log-in of the last five minutes, or a proof since then', async () => {
  const operator = await live.operator();
  const ask = () => live.call(DANGEROUS, { as: operator, ...dangerous });
  expect((await ask())[0]).toBe(404);
  await live.advance(SIX_MINUTES_S);
  expect(code(await ask())).toEqual(UNPROVEN);
  const prove = (current_password: string) =>
    live.call('POST /sessions/prove', { as: operator, body: { current_password } });
  expect((await prove('not that one'))[0]).toBeGreaterThanOrEqual(400);
  expect(code(await ask())).toEqual(UNPROVEN);
  const [status, { data }] = await prove(operator.password);
  expect([status, Date.parse(data.proved_until) > live.clock.now().getTime()]).toEqual([200, true]);
  expect((await ask())[0]).toBe(404);
  await live.advance(SIX_MINUTES_S);
  expect(code(await ask())).toEqual(UNPROVEN);
  expect((await live.call('GET /desk/work', { as: operator }))[0]).toBe(200);
});

test('a code of the second factor proves it as well', async () => {
  const operator = await protectedOperator(live);
  await live.advance(SIX_MINUTES_S);
  const ask = () => live.call(DANGEROUS, { as: operator, ...dangerous });
  expect(code(await ask())).toEqual(UNPROVEN);
  const body = { two_fa_token: codeOf(live, operator.secret) };
  expect((await live.call('POST /sessions/prove', { as: operator, body }))[0]).toBe(200);
  expect((await ask())[0]).toBe(404);
  const empty = await live.call('POST /sessions/prove', { as: operator, body: {} });
  expect(code(empty)).toEqual([400, 'VALIDATION_ERROR']);
});

test('a proof in the body is taken where the body has a place for it', async () => {
  const operator = await live.operator();
  const user = await live.user();
  await live.advance(SIX_MINUTES_S);
  const move = (more: object) =>
    live.call('POST /admins/users/{user_id}/move-address', {
      as: operator,
      params: { user_id: user.user_id },
      body: { email: `moved-${user.email}`, reason: 'A test', ...more },
    });
  expect(code(await move({}))).toEqual([403, 'FRESH_LOGIN_REQUIRED']);
  expect((await move({ current_password: operator.password }))[0]).toBe(202);
});

test("a client's admin, and everybody in mock mode, is asked for no fresh proof", async () => {
  const admin = await live.user({ role: 'admin' });
  const { user_id } = await live.user({ client_id: admin.client_id });
  const operator = await mock.operator();
  await live.advance(SIX_MINUTES_S);
  await mock.advance(SIX_MINUTES_S);
  const body = { reason: 'A test' };
  const stop = { as: admin, params: { user_id }, body };
  expect((await live.call('POST /admins/users/{user_id}/stop', stop))[0]).toBe(200);
  expect((await mock.call(DANGEROUS, { as: operator, ...dangerous }))[0]).toBe(404);
});

test('an external account that is linked does not take the place of a second factor', async () => {
  const operator = await protectedOperator(live);
  const account = newAccount();
  const proof = { current_password: operator.password };
  expect((await link(live, operator, account, proof))[0]).toBe(200);
  const [status, { data }] = await enter(live, await tokenOf(live, account));
  expect([status, data.token]).toEqual([200, undefined]);
});
