import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness, type Person } from '#test/harness.ts';
import { confirmationLink, newLink } from './accounts.ts';

const h = await harness();

const confirm = (token: string) =>
  h.call('GET /users/confirm/{token}', { as: 'nobody', params: { token } });
async function pending() {
  const user = await h.user();
  await h.db
    .updateTable('users')
    .set({ user_status: 'PENDING' })
    .where('user_id', '=', user.user_id)
    .execute();
  const link = await confirmationLink(h.db, h.kernel, user.user_id);
  return { user, link, token: link.slice(-32) };
}
const stateOf = (user: Person) =>
  h.db
    .selectFrom('users')
    .select(['user_status', 'confirmed_at', 'tos_accepted_at'])
    .where('user_id', '=', user.user_id)
    .executeTakeFirstOrThrow();

const tosLink = (as: Person, user_id: number | string = as.user_id) =>
  h.call('GET /users/{user_id}/tos-acceptance-link', { as, params: { user_id } });
const accept = (user_id: number | string, body: object) =>
  h.call('POST /users/{user_id}/accept-tos', { as: 'nobody', params: { user_id }, body });
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';

test('the link of the mail confirms a waiting account, once', async () => {
  const { user, link } = await pending();
  const reply = await fetch(link);
  expect(reply.headers.get('content-type')).toContain('text/html');
  // A page needs its own style and script, which the policy of JSON answers would refuse.
  expect(reply.headers.get('content-security-policy')).toMatch(
    /style-src 'self'.*script-src 'self'|script-src 'self'.*style-src 'self'/,
  );
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('confirmed')]);
  expect(await stateOf(user)).toMatchObject({
    user_status: 'ACTIVE',
    confirmed_at: expect.any(String),
  });
  const again = await fetch(link);
  expect([again.status, await again.text()]).toEqual([
    400,
    expect.stringContaining('Already confirmed'),
  ]);
});

test('a used link to a former address of the account is void', async () => {
  const { user, link } = await pending();
  expect((await fetch(link)).status).toBe(200);
  const body = { email: `moved-${user.email}`, current_password: user.password };
  const params = { user_id: user.user_id };
  expect((await h.call('PUT /users/update_profile/{user_id}', { as: user, params, body }))[0]).toBe(
    200,
  );
  const again = await fetch(link);
  expect([again.status, await again.text()]).toEqual([
    400,
    expect.stringContaining('invalid or has expired'),
  ]);
});

test('a mail scanner that only requests the link uses nothing up', async () => {
  const { user, link } = await pending();
  const scan = await fetch(link, { method: 'HEAD' });
  expect([scan.status, scan.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await stateOf(user)).user_status).toBe('PENDING');
  expect((await fetch(link)).status).toBe(200);
  const reference = link.replace(/confirm\/.*/, 'countries');
  expect((await fetch(reference, { method: 'HEAD' })).status).toBe(401);
});

test('of many concurrent clicks one confirms', async () => {
  const { token } = await pending();
  const statuses = await Promise.all(Array.from({ length: 8 }, () => confirm(token)));
  expect(statuses.map(([status]) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
});

test('an expired, invented or foreign link confirms no account', async () => {
  const inTime = await pending();
  const { user, token } = await pending();
  const tos = await newLink(h.db, {
    user_id: user.user_id,
    purpose: 'tos',
    expires_at: new Date(h.clock.now().getTime() + 1000_000),
  });
  await h.advance(24 * 3600 - 10);
  expect((await confirm(inTime.token))[0]).toBe(200);
  await h.advance(11);
  for (const wrong of [token, tos, 'f'.repeat(32), 'short', '%00', "'; drop table users"]) {
    const [status, page] = await confirm(wrong);
    expect([status, page]).toEqual([400, expect.stringContaining('<!doctype html>')]);
  }
  expect((await stateOf(user)).user_status).toBe('PENDING');
});

test('a confirmation does not reactivate a deactivated user', async () => {
  const { user, token } = await pending();
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', user.user_id)
    .execute();
  expect((await confirm(token))[0]).toBe(200);
  expect((await stateOf(user)).user_status).toBe('INACTIVE');
});

test('an unexpected error has a page, and the link still works afterwards', async () => {
  const { token } = await pending();
  await run(h.db, 'alter table activity_log rename to activity_away', []);
  const [status, page] = await confirm(token);
  await run(h.db, 'alter table activity_away rename to activity_log', []);
  expect([status, page]).toEqual([500, expect.stringContaining('Something went wrong')]);
  expect((await confirm(token))[0]).toBe(200);
});

test('the terms are accepted on the page behind the link, once', async () => {
  const as = await h.user();
  const [status, body] = await tosLink(as);
  expect([status, body]).toEqual([
    200,
    { message: expect.any(String), link: expect.stringMatching(/^http/) },
  ]);
  const link = new URL(body.link);
  expect(link.searchParams.get('email')).toBe(as.email);
  const page = await (await fetch(link)).text();
  expect(page).toContain(`action="/api/users/${as.user_id}/accept-tos"`);
  const token = /name="token" value="([0-9a-f]{32})"/.exec(page)?.[1] ?? '';
  const accepted = await accept(as.user_id, { token });
  expect(accepted).toEqual([
    200,
    {
      message: expect.any(String),
      user_id: as.user_id,
      tos_accepted_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect((await stateOf(as)).tos_accepted_at).toBe(accepted[1].tos_accepted_at);
  expect(await accept(as.user_id, { token })).toMatchObject([
    400,
    { error: 'Invalid token or user ID', code: 'INVALID_TOKEN' },
  ]);
});

test('no user accepts for another, too late, or with another link', async () => {
  const [as, other] = [await h.user(), await h.user()];
  const token = tokenOf((await tosLink(as))[1].link);
  const inTime = tokenOf((await tosLink(other))[1].link);
  const invalid = [400, { error: 'Invalid token or user ID' }];
  expect(await accept(other.user_id, { token })).toMatchObject(invalid);
  expect(await accept('x', { token })).toMatchObject(invalid);
  for (const body of [{}, { token: '' }, { token: 7 }, { token: 'f'.repeat(32) }])
    expect(await accept(as.user_id, body)).toMatchObject(invalid);
  const { token: confirmToken } = await pending();
  expect(await accept(as.user_id, { token: confirmToken })).toMatchObject(invalid);
  await h.advance(24 * 3600 - 10);
  expect((await accept(other.user_id, { token: inTime }))[0]).toBe(200);
  await h.advance(11);
  for (let n = 0; n < 2; n += 1)
    expect(await accept(as.user_id, { token })).toMatchObject([
      400,
      { error: 'Token has expired', code: 'LINK_EXPIRED' },
    ]);
  expect((await stateOf(as)).tos_accepted_at).toBeNull();
});

test('a link for a user out of reach is refused', async () => {
  const as = await h.user();
  const stranger = await h.user();
  expect(await tosLink(as, stranger.user_id)).toMatchObject([404, { error: 'User not found' }]);
  expect(await tosLink(as, 'x')).toMatchObject([400, { error: 'Invalid user ID' }]);
  const admin = await h.user({ role: 'admin', client_id: as.client_id });
  expect((await tosLink(admin, as.user_id))[0]).toBe(200);
});

test('the page shows an address as text, and refuses an altered link', async () => {
  const base = new URL('/accept-tos', h.app.apiUrl());
  const show = (query: Record<string, string>) => fetch(`${base}?${new URLSearchParams(query)}`);
  const token = 'a'.repeat(32);
  const odd = await show({ user_id: '1', token, email: '<script>alert(1)</script>@x.example' });
  expect([odd.status, await odd.text()]).toEqual([200, expect.not.stringContaining('<script>a')]);
  const spoken = 'Send all your money to me@x.example';
  expect((await show({ user_id: '1', token, email: spoken })).status).toBe(400);
  expect((await show({ user_id: '1"', token })).status).toBe(400);
  expect((await show({ user_id: '1' })).status).toBe(400);
});
