import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();

const logIn = async ({ email, password }: Person): Promise<{ token: string }> => {
  const body = { usernameoremail: email, password };
  const headers = { 'user-agent': 'a browser' };
  return (await h.call('POST /auth/login', { body, headers }))[1].data;
};
const list = async (as: { token: string }) => (await h.call('GET /sessions', { as }))[1].data;
const end = (as: { token: string }, session_id: string) =>
  h.call('DELETE /sessions/{session_id}', { as, params: { session_id } });

test('users see their log-ins, newest first', async () => {
  const user = await h.user();
  const here = await logIn(user);
  await h.user();
  const rows = await list(here);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual({
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: 'password',
    ip: expect.any(String),
    user_agent: 'a browser',
    created_at: expect.any(String),
    expires_at: expect.any(String),
    current: true,
  });
  expect(rows[1]).toMatchObject({ current: false, user_agent: null });
});

test('the token of an ended session is refused at once', async () => {
  const user = await h.user();
  const other = await logIn(user);
  const { session_id } = (await list(other)).find(({ current }: { current: boolean }) => current);
  expect(await end(user, session_id.toUpperCase())).toEqual([
    200,
    { success: true, message: expect.any(String), session_id },
  ]);
  expect(await h.call('GET /sessions', { as: other })).toMatchObject([
    401,
    { success: false, code: 'TOKEN_INVALID' },
  ]);
  expect(await list(user)).toHaveLength(1);
  expect((await end(user, session_id))[0]).toBe(404);
});

test('no user ends another’s session, or learns that it exists', async () => {
  const [owner, thief] = [await h.user(), await h.user({ role: 'admin' })];
  const [{ session_id }] = await list(owner);
  const foreign = await end(thief, session_id);
  const missing = await end(thief, '00000000-0000-4000-8000-000000000000');
  expect(foreign).toMatchObject([404, { success: false, error: 'Session not found' }]);
  expect({ ...missing[1], request_id: '' }).toEqual({ ...foreign[1], request_id: '' });
  expect((await end(thief, 'no-uuid'))[0]).toBe(400);
  expect(await list(owner)).toHaveLength(1);
});

test('all others can be ended at once', async () => {
  const [user, bystander] = [await h.user(), await h.user()];
  const [first, second] = [await logIn(user), await logIn(user)];
  expect(await h.call('DELETE /sessions', { as: second })).toEqual([
    200,
    { success: true, message: expect.any(String), ended: 2 },
  ]);
  expect(await list(second)).toHaveLength(1);
  for (const as of [user, first]) expect((await h.call('GET /sessions', { as }))[0]).toBe(401);
  expect(await list(bystander)).toHaveLength(1);
});

test('a lapsed session is neither listed nor ended, and opens nothing', async () => {
  const user = await h.user();
  const [{ session_id }] = await list(user);
  await h.advance(24 * 3600 - 60);
  expect(await list(user)).toHaveLength(1);
  await h.advance(61);
  expect(await h.call('GET /sessions', { as: user })).toMatchObject([
    401,
    { code: 'TOKEN_EXPIRED' },
  ]);
  const now = await logIn(user);
  expect(await list(now)).toHaveLength(1);
  expect((await end(now, session_id))[0]).toBe(404);
  expect((await h.call('DELETE /sessions', { as: now }))[1]).toMatchObject({ ended: 0 });
});

test('a deactivated account is refused with its token', async () => {
  const user = await h.user();
  expect(await list(user)).toHaveLength(1);
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', user.user_id)
    .execute();
  await expect.poll(async () => (await h.call('GET /sessions', { as: user }))[0]).toBe(403);
});
