import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { harness, type Person } from '#test/harness.ts';
import { logIn } from '#test/two-factor.ts';

const shared = {
  masterKey: `1:${randomBytes(32).toString('base64')}`,
  jwtSecret: randomBytes(32).toString('hex'),
};
const database = await testDatabase();
const h = await harness({ ...shared, database });
/** Another process of the same service. */
const other = await harness({ ...shared, database: { ...database, close: async () => undefined } });
const operator = await h.operator();
const why = { reason: 'Left the company' };

const order = (what: 'stop' | 'let-in', user_id: number, as: Person = operator, at = h) =>
  at.call(`POST /admins/users/{user_id}/${what}`, { as, params: { user_id }, body: why });
const own = (as: Person, at = h) => at.call('GET /sessions', { as });
const actions = async (user_id: number) =>
  (
    await h.db
      .selectFrom('activity_log')
      .select(['action', 'actor_user_id'])
      .where('subject_user_id', '=', user_id)
      .orderBy('id')
      .execute()
  ).map(({ action, actor_user_id }) => [action, actor_user_id]);
const openSessions = (user_id: number) =>
  h.db
    .selectFrom('sessions')
    .select('session_id')
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute();

test('a client’s admin suspends users of the client, and no others', async () => {
  const admin = await h.user({ role: 'admin' });
  const peer = await h.user({ role: 'admin', client_id: admin.client_id });
  const user = await h.user({ client_id: admin.client_id });
  for (const { user_id } of [peer, user]) {
    expect((await order('stop', user_id, admin))[0]).toBe(200);
    expect((await order('let-in', user_id, admin))[0]).toBe(200);
    expect(await actions(user_id)).toEqual([
      ['USER_STOPPED', admin.user_id],
      ['USER_LET_IN', admin.user_id],
    ]);
  }
  const elsewhere = [await h.user(), operator, { user_id: 9_999_999 }];
  for (const what of ['stop', 'let-in'] as const) {
    for (const { user_id } of elsewhere)
      expect(await order(what, user_id, admin)).toMatchObject([404, { error: 'User not found' }]);
    expect((await order(what, admin.user_id, await h.user()))[0]).toBe(403);
  }
  expect((await own(operator))[0]).toBe(200);
});

test('an admin cannot suspend themselves', async () => {
  const admin = await h.user({ role: 'admin' });
  for (const as of [admin, operator]) {
    expect(await order('stop', as.user_id, as)).toMatchObject([403, { code: 'FORBIDDEN' }]);
    expect((await own(as))[0]).toBe(200);
  }
});

test('a client’s admin cannot reinstate a user whom the operator suspended, even later', async () => {
  const admin = await h.user({ role: 'admin' });
  const { user_id } = await h.user({ client_id: admin.client_id });
  await order('stop', user_id, admin);
  expect(await order('stop', user_id)).toMatchObject([200, { stopped_by: operator.user_id }]);
  // The admin's request comes too late to take it over again.
  expect(await order('stop', user_id, admin)).toMatchObject([
    200,
    { stopped_by: operator.user_id },
  ]);
  expect(await order('let-in', user_id, admin)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  expect((await order('let-in', user_id))[0]).toBe(200);
  expect(await actions(user_id)).toEqual([
    ['USER_STOPPED', admin.user_id],
    ['USER_STOPPED', operator.user_id],
    ['USER_LET_IN', operator.user_id],
  ]);
});

test('of two admins who suspend each other at once one stays', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const one = await h.operator();
    const two = await h.operator();
    const answers = await Promise.all([
      order('stop', two.user_id, one),
      order('stop', one.user_id, two, other),
    ]);
    const statuses = answers.map(([status]) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const [winner, loser] = statuses[0] === 200 ? [one, two] : [two, one];
    expect((await own(winner))[0]).toBe(200);
    await expect.poll(async () => (await own(loser))[0]).not.toBe(200);
  }
});

test('twenty concurrent suspensions from two processes are one, and so are reinstatements', async () => {
  const { user_id } = await h.user();
  for (const what of ['stop', 'let-in'] as const) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => order(what, user_id, operator, n % 2 ? h : other)),
    );
    for (const answer of answers) expect(answer).toEqual([200, answers[0]?.[1]]);
  }
  expect(await actions(user_id)).toHaveLength(2);
});

test('no log-in survives a concurrent suspension', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    const user = await h.user();
    const entering = Array.from({ length: 6 }, (_, n) => logIn(n % 2 ? h : other, user));
    const [, ...entered] = await Promise.all([order('stop', user.user_id), ...entering]);
    expect(await openSessions(user.user_id)).toEqual([]);
    for (const [status, body] of entered) {
      if (status !== 200) continue;
      const as = { ...user, token: body.data.token };
      for (const at of [h, other])
        await expect.poll(async () => (await own(as, at))[0]).not.toBe(200);
    }
  }
});

test('another process refuses them as soon, and so does one that starts later', async () => {
  const user = await h.user();
  expect((await own(user, other))[0]).toBe(200);
  await order('stop', user.user_id);
  await expect.poll(async () => (await own(user, other))[0]).not.toBe(200);
  const later = await harness({
    ...shared,
    database: { ...database, close: async () => undefined },
  });
  expect((await own(user, later))[0]).toBe(401);
  expect((await logIn(later, user))[0]).toBe(403);
  expect((await order('let-in', user.user_id, operator, later))[0]).toBe(200);
  expect((await logIn(h, user))[0]).toBe(200);
});
