import { expect, test } from 'vitest';
import { used } from '#test/budgets.ts';
import { harness, type Person } from '#test/harness.ts';
import { linkIn, linkOf, mailTo } from '#test/mails.ts';

const h = await harness();
const SAME = { success: true, message: expect.any(String) };

const request = (email: unknown) => h.call('POST /password/request_reset', { body: { email } });
const reset = (token: unknown, new_password: unknown) =>
  h.call('POST /password/reset', { as: 'nobody', body: { token, new_password } });
const logIn = async (user: Person, password: string) =>
  (await h.call('POST /auth/login', { body: { usernameoremail: user.email, password } }))[0];
const mails = async (user: Person) => {
  await h.drain();
  return h.messages(user.email);
};

async function askFor(user: Person): Promise<string> {
  expect((await request(user.email))[0]).toBe(200);
  return linkIn(await mailTo(h, user.email, /^Reset/)).token;
}
const pageOf = async (token: string) => {
  const reply = await fetch(`${h.kernel.publicUrl()}/reset-password?token=${token}`);
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
};

test('a mailed link sets a new password, and every session ends', async () => {
  const user = await h.user();
  const token = await askFor(user);
  expect(await reset(token, 'a new password')).toEqual([200, SAME]);
  expect((await h.call('GET /sessions', { as: user }))[0]).toBe(401);
  expect(await logIn(user, user.password)).toBe(401);
  expect(await logIn(user, 'a new password')).toBe(200);
  expect(await mailTo(h, user.email, /changed/)).toMatchObject({ channel: 'email' });
});

test('an unknown e-mail is answered the same, and nothing is sent', async () => {
  const user = await h.user();
  const known = await request(user.email);
  const unknown = await request('nobody@example.test');
  expect(known).toEqual([200, SAME]);
  expect(unknown).toEqual(known);
  await h.drain();
  expect(await h.messages('nobody@example.test')).toEqual([]);
  expect(await h.messages(user.email)).toHaveLength(1);
});

test('a user requests it on a page, without a key, and learns as little', async () => {
  const user = await h.user();
  const page = await fetch(`${h.kernel.publicUrl()}/forgotten-password`);
  const [, action = ''] = /action="([^"]+)"/.exec(await page.text()) ?? [];
  expect(action).toBe('/api/password/forgotten');
  const ask = (email: string) =>
    h.call('POST /password/forgotten', { as: 'nobody', body: { email } });
  expect(await ask(user.email)).toEqual([200, SAME]);
  expect(await ask('stranger@example.test')).toEqual([200, SAME]);
  const { token } = linkIn(await mailTo(h, user.email, /^Reset/));
  expect(await reset(token, 'a new password')).toEqual([200, SAME]);
  expect(await h.messages('stranger@example.test')).toEqual([]);
  // A dead link leads here, too, and so does the log-in page.
  expect((await pageOf(token)).text).toContain('href="/forgotten-password"');
  const login = await fetch(`${h.kernel.publicUrl()}/login`);
  expect(await login.text()).toContain('href="/forgotten-password"');
});

test('a request without an e-mail is 400', async () => {
  for (const email of [undefined, '', 7, null, 'no e-mail', {}])
    expect(await request(email)).toMatchObject([
      400,
      { success: false, error: 'Email is required' },
    ]);
  const body = { email: 'a@example.test' };
  expect((await h.call('POST /password/request_reset', { as: 'nobody', body }))[0]).toBe(401);
});

test('a link works once, also in concurrent requests', async () => {
  const user = await h.user();
  const token = await askFor(user);
  const tries = Array.from({ length: 10 }, (_, n) => reset(token, `new password ${n}`));
  const statuses = (await Promise.all(tries)).map(([status]) => status).sort();
  expect(statuses).toEqual([200, ...Array(9).fill(400)]);
  expect(await reset(token, 'yet another one')).toMatchObject([
    400,
    { success: false, error: 'Invalid or expired reset link', code: 'INVALID_TOKEN' },
  ]);
});

test('using one link ends the others', async () => {
  const user = await h.user();
  const [first, second] = [await askFor(user), await askFor(user)];
  expect(first).not.toBe(second);
  expect((await reset(second, 'a new password'))[0]).toBe(200);
  expect((await reset(first, 'the password of a thief'))[0]).toBe(400);
});

test('a link is valid for an hour, then refused as lapsed', async () => {
  const [user, quick] = [await h.user(), await h.user()];
  const inTime = await askFor(quick);
  const token = await askFor(user);
  await h.advance(3600 - 60);
  expect((await reset(inTime, 'a new password'))[0]).toBe(200);
  await h.advance(61);
  expect(await reset(token, 'a new password')).toMatchObject([400, { code: 'LINK_EXPIRED' }]);
  expect((await pageOf(token)).status).toBe(400);
  expect(await logIn(user, user.password)).toBe(200);
});

test('a short password, a foreign token or none is 400, and the link stays', async () => {
  const user = await h.user();
  const token = await askFor(user);
  for (const [sent, password] of [
    [token, 'seven77'],
    [token, '        '],
    [token, undefined],
    [token, 12345678],
    [undefined, 'a new password'],
    ['', 'a new password'],
    ['f'.repeat(64), 'a new password'],
  ])
    expect(await reset(sent, password)).toMatchObject([400, { success: false }]);
  expect((await reset(token, 'eight888'))[0]).toBe(200);
});

test('a password may be as long as documented, with any characters', async () => {
  const user = await h.user();
  const longest = '😀'.repeat(1024);
  expect((await reset(await askFor(user), longest))[0]).toBe(200);
  expect(await logIn(user, longest)).toBe(200);
  expect(await logIn(user, `${longest}x`)).toBe(400);
});

test('each account with that e-mail gets a link of its own', async () => {
  const email = 'shared@example.test';
  const [first, second] = [await h.user({ email }), await h.user({ email })];
  expect((await request(email.toUpperCase()))[0]).toBe(200);
  const sent = await mails(first);
  expect(sent).toHaveLength(2);
  const mine = sent.find(({ text }: { text: string }) => text.includes(second.username));
  expect((await reset(linkIn(mine).token, 'a new password'))[0]).toBe(200);
  expect((await h.call('GET /sessions', { as: first }))[0]).toBe(200);
  expect((await h.call('GET /sessions', { as: second }))[0]).toBe(401);
});

test('no caller floods another user’s mailbox', async () => {
  const user = await h.user();
  for (let n = 0; n < 8; n += 1) {
    await request(user.email);
    await h.drain();
  }
  expect(await mails(user)).toHaveLength(5);
});

test('names cannot pass for a line of ours', async () => {
  const { client_id } = await h.client({ client_alias: 'Shop\nLink: https://thief.example' });
  const user = await h.user({ client_id });
  await request(user.email);
  const mail = await mailTo(h, user.email, /^Reset/);
  expect(mail.text.match(/^Link: /gm)).toHaveLength(1);
  expect(linkOf(mail)).toMatch(/\/reset-password\?token=[0-9a-f]{64}$/);
});

test('the page of a valid link has a form, that of an invalid one none', async () => {
  const token = await askFor(await h.user());
  const good = await pageOf(token);
  expect(good.status).toBe(200);
  expect(good.text).toContain(`value="${token}"`);
  expect(good.text).toContain('action="/api/password/reset"');
  expect(good.headers.get('referrer-policy')).toBe('no-referrer');
  expect(good.headers.get('cache-control')).toBe('no-store');
  const bad = await pageOf('%22%3E%3Cscript%3E');
  expect(bad.status).toBe(400);
  expect(bad.text).not.toContain('<form');
});

test('only the digest of a link is stored, and the reset is logged', async () => {
  const user = await h.user();
  const token = await askFor(user);
  const links = await h.db.selectFrom('user_links').selectAll().execute();
  expect(JSON.stringify(links)).not.toContain(token);
  await reset(token, 'a new password');
  const rows = await h.db
    .selectFrom('activity_log')
    .where('subject_user_id', '=', user.user_id)
    .selectAll()
    .execute();
  expect(rows).toMatchObject([{ action: 'PASSWORD_RESET', client_id: user.client_id }]);
  expect(h.logs.join()).not.toContain(token);
});

test('a caller over the budget uses up no other user’s links', async () => {
  const user = await h.user();
  await used(h, `reset to ${user.email}`, 30);
  for (let n = 0; n < 6; n += 1) {
    expect(await request(user.email)).toEqual([200, SAME]);
    await h.drain();
  }
  expect(await h.messages(user.email)).toEqual([]);
  await h.advance(901);
  expect((await reset(await askFor(user), 'a new password'))[0]).toBe(200);
});

test('the account whose owner confirmed the address comes before strangers’ accounts', async () => {
  const email = 'many@example.test';
  await Promise.all(Array.from({ length: 32 }, () => h.user({ email })));
  const owner = await h.user({ email });
  await h.db
    .updateTable('users')
    .set({ confirmed_at: h.clock.now().toISOString() })
    .where('user_id', '=', owner.user_id)
    .execute();
  await request(email);
  expect(await mails(owner)).toHaveLength(30);
  const links = await h.db
    .selectFrom('user_links')
    .select('digest')
    .where('user_id', '=', owner.user_id)
    .where('purpose', '=', 'reset')
    .execute();
  expect(links).toHaveLength(1);
});
