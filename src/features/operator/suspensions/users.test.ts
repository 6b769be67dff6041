import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { enter, link, newAccount, tokenOf } from '#test/external-login.ts';
import { harness, type Person } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';
import { codeOf, complete, logIn, protectedUser } from '#test/two-factor.ts';
import { activate, confirmationLink } from '../../accounts/users/users.ts';

const h = await harness({ mock: false, config: { PROFILE_OTP: 'off' } });
const operator = await h.operator();
const why = { reason: 'The telephone was stolen' };
const NOT_ACTIVE = { code: 'ACCOUNT_NOT_ACTIVE' };

const order = (what: 'stop' | 'let-in', user_id: number, as: Person = operator, body = why) =>
  h.call(`POST /admins/users/{user_id}/${what}`, { as, params: { user_id }, body });
const become = (user_id: number, fields: object) =>
  h.db.updateTable('users').set(fields).where('user_id', '=', user_id).execute();
const statusOf = async (user_id: number) =>
  (
    await h.db
      .selectFrom('users')
      .select('user_status')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  ).user_status;
const openSessions = (user_id: number) =>
  h.db
    .selectFrom('sessions')
    .select('session_id')
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute();
async function stopped(fields: Parameters<typeof h.user>[0] = {}) {
  const user = await h.user(fields);
  expect((await order('stop', user.user_id))[0]).toBe(200);
  return user;
}

test('a suspension ends log-ins for good; a reinstated user opens a new one', async () => {
  const user = await h.user();
  const { user_id } = user;
  const own = () => h.call('GET /sessions', { as: user });
  expect((await own())[0]).toBe(200);
  const state = { user_id, is_stopped: true, stopped_by: operator.user_id, ...why };
  expect(await order('stop', user_id)).toMatchObject([
    200,
    { user_status: 'INACTIVE', ...state, stopped_at: expect.any(String) },
  ]);
  expect([401, 403]).toContain((await own())[0]);
  expect(await logIn(h, user)).toMatchObject([403, NOT_ACTIVE]);
  expect(await logIn(h, { ...user, password: 'wrong' })).toMatchObject([401, {}]);
  expect(await openSessions(user_id)).toEqual([]);
  expect(await order('let-in', user_id)).toMatchObject([
    200,
    { user_status: 'ACTIVE', is_stopped: false, reason: null, stopped_at: null },
  ]);
  expect((await own())[0]).toBe(401);
  expect((await logIn(h, user))[0]).toBe(200);
  await h.kernel.events.settle();
  const query = { type: 'user.*', object: `user:${user_id}` };
  const [, { data }] = await h.call('GET /events', { as: operator, query });
  const types = data.events.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['user.let_in', 'user.stopped']);
  await h.drain();
  expect(await h.messages(user.email)).toEqual([]);
});

test('a log-in that waits for its second factor has to start again', async () => {
  const user = await protectedUser(h);
  expect(await logIn(h, user)).toMatchObject([200, { requires_2fa: true }]);
  await order('stop', user.user_id);
  const finish = () => complete(h, user, codeOf(h, user.secret, 1));
  expect((await finish())[0]).toBe(401);
  await order('let-in', user.user_id);
  expect((await finish())[0]).toBe(401);
});

test('an external account does not log a suspended user in', async () => {
  const account = newAccount();
  const [, { data }] = await enter(h, await tokenOf(h, account));
  await order('stop', data.user.user_id);
  const refused = { error: NOT_ACTIVE };
  expect(await enter(h, await tokenOf(h, account))).toMatchObject([403, refused]);
});

test('a new password by mail does not log a suspended user in', async () => {
  const user = await stopped();
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const { token } = linkIn(await mailTo(h, user.email, /^Reset/));
  const new_password = 'quite another one';
  const reset = { as: 'nobody' as const, body: { token, new_password } };
  expect((await h.call('POST /password/reset', reset))[0]).toBe(200);
  expect(await logIn(h, { ...user, password: new_password })).toMatchObject([403, NOT_ACTIVE]);
  expect(await openSessions(user.user_id)).toEqual([]);
});

test('a consent to a pending change does not log a suspended user in', async () => {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const email = `new-${user.email}`;
  await h.call('PUT /users/update_profile/{user_id}', {
    as: admin,
    params: { user_id: user.user_id },
    body: { email, current_password: admin.password },
  });
  const { token } = linkIn(await mailTo(h, user.email, /Confirm/));
  await order('stop', user.user_id);
  const body = { token, decision: 'confirm' };
  expect((await h.call('POST /users/confirm-change', { as: 'nobody', body }))[0]).toBe(200);
  expect(await logIn(h, { ...user, email })).toMatchObject([403, NOT_ACTIVE]);
});

test('an external account linked in their name does not log a suspended user in', async () => {
  const user = await h.user();
  const account = newAccount();
  expect((await link(h, user, account, { current_password: user.password }))[0]).toBe(200);
  await order('stop', user.user_id);
  expect((await enter(h, await tokenOf(h, account)))[0]).toBe(403);
});

test('an activation takes effect once the user is reinstated, and not before', async () => {
  const confirmed = async ({ user_id }: Person) => {
    const token = new URL(await confirmationLink(h.db, h.kernel, user_id)).searchParams.get(
      'token',
    );
    await h.call('POST /users/confirm', { as: 'nobody', body: { token } });
  };
  const approved = async ({ user_id }: Person) => {
    await h.db
      .insertInto('verifications')
      .values({ user_id, kind: 'KYC', status: 'PENDING' })
      .execute();
    const answer = await h.call('POST /admins/approve-kyc/{user_id}', {
      as: operator,
      params: { user_id },
      body: {},
    });
    expect(answer).toMatchObject([200, { user: { user_status: 'INACTIVE' } }]);
  };
  const activated = ({ user_id }: Person) => transact(h.db, (tx) => activate(tx, user_id));
  for (const path of [confirmed, approved, activated]) {
    const user = await h.user();
    await become(user.user_id, { user_status: 'PENDING' });
    await order('stop', user.user_id);
    await path(user);
    expect(await statusOf(user.user_id)).toBe('INACTIVE');
    expect((await logIn(h, user))[0]).toBe(403);
    await order('let-in', user.user_id);
    expect(await statusOf(user.user_id)).toBe('ACTIVE');
  }
  const { user_id } = await h.user();
  await become(user_id, { user_status: 'PENDING' });
  await order('stop', user_id);
  expect(await order('let-in', user_id)).toMatchObject([200, { user_status: 'PENDING' }]);
});

test('a suspended user’s key still serves its client, and acts for no user', async () => {
  const admin = await h.user({ role: 'admin' });
  const key = await h.apiKey(admin);
  const alone = () => h.call('GET /events', { key });
  const other = await h.user({ client_id: admin.client_id });
  expect((await alone())[0]).toBe(200);
  await order('stop', admin.user_id);
  expect((await alone())[0]).toBe(403);
  expect((await h.call('GET /sessions', { key, as: other }))[0]).toBe(200);
});

test('the endpoint reinstates a user whom SQL suspended, for the operator alone', async () => {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  await become(user.user_id, { user_status: 'INACTIVE' });
  expect(await order('stop', user.user_id, admin)).toMatchObject([
    200,
    { is_stopped: true, reason: null, stopped_by: null },
  ]);
  expect(await order('let-in', user.user_id, admin)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  await become(user.user_id, { status_before_stop: null });
  expect(await openSessions(user.user_id)).toHaveLength(1);
  expect(await order('let-in', user.user_id)).toMatchObject([200, { user_status: 'ACTIVE' }]);
  expect(await openSessions(user.user_id)).toEqual([]);
});

test('a timeline shows who is suspended, and why', async () => {
  const user = await stopped();
  const query = { q: user.email };
  const [, { data }] = await h.call('GET /desk/timeline', { as: operator, query });
  const shown = { user_id: user.user_id, is_stopped: true, stopped_by: operator.user_id, ...why };
  expect(data.people).toMatchObject([shown]);
  expect(data.clients).toMatchObject([{ client_id: user.client_id, is_stopped: false }]);
});
