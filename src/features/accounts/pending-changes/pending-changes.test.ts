import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';

const h = await harness({ mock: false, config: { PROFILE_OTP: 'off' } });

const decide = (body: object) => h.call('POST /users/confirm-change', { as: 'nobody', body });
const list = (as: Person, user_id = as.user_id) =>
  h.call('GET /users/{user_id}/pending-changes', { as, params: { user_id } });
const withdraw = (as: Person, user_id: number, change_id: number) =>
  h.call('DELETE /users/{user_id}/pending-changes/{change_id}', {
    as,
    params: { user_id, change_id },
  });
const open = async (link: string, method = 'GET') => {
  const reply = await fetch(link, { method });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
};

/** A new address that an admin has requested in a user's name. */
async function proposed() {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const email = `new-${user.email}`;
  const [, { pending_change }] = await h.call('PUT /users/update_profile/{user_id}', {
    as: admin,
    params: { user_id: user.user_id },
    body: { email, current_password: admin.password },
  });
  const { link, token } = linkIn(await mailTo(h, user.email, /Confirm/));
  return { user, admin, email, change_id: pending_change.change_id as number, link, token };
}
const emailOf = async ({ user_id }: Person) =>
  (
    await h.db
      .selectFrom('users')
      .select('email')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  ).email;

test('reading the page changes nothing, however often and with any method', async () => {
  const { user, email, link, token } = await proposed();
  for (const method of ['GET', 'HEAD', 'GET']) expect((await open(link, method)).status).toBe(200);
  const { text, headers } = await open(link);
  expect(text).toContain(email);
  expect(text).toContain('action="/api/users/confirm-change"');
  expect(text).toContain(`value="${token}"`);
  expect(text).toMatch(/value="refuse"[\s\S]*value="confirm"/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await emailOf(user)).toBe(user.email);
  expect((await decide({ token, decision: 'confirm' }))[0]).toBe(200);
  expect(await emailOf(user)).toBe(email);
  const used = await open(link);
  expect([used.status, used.text.includes('<form')]).toEqual([400, false]);
});

test('a decision is one of two words, and a link cannot be guessed', async () => {
  const { user, token } = await proposed();
  for (const body of [
    {},
    { token },
    { token, decision: '' },
    { token, decision: 'yes' },
    { token, decision: true },
    { decision: 'confirm' },
  ])
    expect(await decide(body)).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  for (const other of ['f'.repeat(64), token.slice(1), token.toUpperCase(), `${token} `])
    expect(await decide({ token: other, decision: 'confirm' })).toMatchObject([
      400,
      { code: 'INVALID_TOKEN' },
    ]);
  expect(await emailOf(user)).toBe(user.email);
  expect(
    (await open(`${h.kernel.publicUrl()}/confirm-change?token=%22%3E%3Cb%3E`)).text,
  ).not.toMatch(/"><b>/);
});

test('the user and the client’s admins see a pending change, and no others do', async () => {
  const { user, admin, email, change_id } = await proposed();
  const shown = {
    change_id,
    kind: 'email',
    subject: email,
    created_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
    takes_effect_at: null,
  };
  for (const as of [user, admin, await h.operator()])
    expect(await list(as, user.user_id)).toEqual([200, { pending_changes: [shown] }]);
  const peer = await h.user({ client_id: user.client_id });
  for (const as of [peer, await h.user({ role: 'admin' })])
    expect(await list(as, user.user_id)).toMatchObject([404, { error: 'User not found' }]);
  await h.advance(24 * 3600 + 1);
  const fresh = await h.kernel.sessions.open(h.db, { user_id: user.user_id, method: 'password' });
  expect(await list({ ...user, ...fresh })).toEqual([200, { pending_changes: [] }]);
});

test('the user and the client’s admins cancel it; for others it does not exist', async () => {
  const { user, admin, change_id, token } = await proposed();
  const peer = await h.user({ client_id: user.client_id });
  for (const as of [peer, await h.user({ role: 'admin' })])
    expect(await withdraw(as, user.user_id, change_id)).toMatchObject([404, { code: 'NOT_FOUND' }]);
  expect(await withdraw(admin, admin.user_id, change_id)).toMatchObject([404, {}]);
  expect((await withdraw(user, user.user_id, change_id))[0]).toBe(200);
  expect((await withdraw(admin, user.user_id, change_id))[0]).toBe(404);
  expect((await decide({ token, decision: 'confirm' }))[0]).toBe(400);
  const other = await proposed();
  expect((await withdraw(other.admin, other.user.user_id, other.change_id))[0]).toBe(200);
  const log = await h.db
    .selectFrom('activity_log')
    .select(['actor_user_id', 'client_id'])
    .where('action', '=', 'CHANGE_WITHDRAWN')
    .orderBy('id')
    .execute();
  expect(log).toEqual([
    { actor_user_id: user.user_id, client_id: user.client_id },
    { actor_user_id: other.admin.user_id, client_id: other.user.client_id },
  ]);
});

test('only the digest of a link is stored, and no log shows it', async () => {
  const { token } = await proposed();
  const rows = await h.db.selectFrom('pending_changes').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(h.logs.join()).not.toContain(token);
});

test('of a concurrent confirmation and cancellation one happens', async () => {
  const { user, email, change_id, token } = await proposed();
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => decide({ token, decision: 'confirm' })),
    ...Array.from({ length: 4 }, () => withdraw(user, user.user_id, change_id)),
  ]);
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
  const confirmed = answers.slice(0, 4).some(([status]) => status === 200);
  expect(await emailOf(user)).toBe(confirmed ? email : user.email);
});

test('lapsed changes are deleted', async () => {
  await proposed();
  await h.advance(2 * 24 * 3600 + 60);
  await h.drain();
  expect(await h.db.selectFrom('pending_changes').selectAll().execute()).toEqual([]);
});
