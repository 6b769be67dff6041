import { beforeEach, expect, test } from 'vitest';
import { requesterMark } from '#kernel/access/requester.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { unlinked } from '#kernel/wording.ts';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { countMails, linkIn, mailTo } from '#test/mails.ts';
import { codeOf, logIn, type Protected, protectedUser } from '#test/two-factor.ts';

/** The operator's orders for users who have lost their second factor or address. */
const h = await harness({ mock: false });
const mock = await harness();
const DAY_S = 24 * 3600;
const REASON = 'Called, passport shown, ticket 4711';

const remove = (as: Person, user_id: number, more: object = {}, on: Harness = h) =>
  on.call('POST /admins/users/{user_id}/remove-second-factor', {
    as,
    params: { user_id },
    body: { reason: REASON, ...more },
  });
const move = (as: Person, user_id: number, email: unknown, more: object = {}, on: Harness = h) =>
  on.call('POST /admins/users/{user_id}/move-address', {
    as,
    params: { user_id },
    body: { email, reason: REASON, ...more },
  });
const decide = (token: string, decision: string) =>
  h.call('POST /users/confirm-change', { as: 'nobody', body: { token, decision } });
const asksForCode = async (user: Person, on = h) => (await logIn(on, user))[1].requires_2fa;
const emailOf = async ({ user_id }: Person, on = h) =>
  (
    await on.db
      .selectFrom('users')
      .select('email')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  ).email;
const logOf = (user: Person, on = h) =>
  on.db
    .selectFrom('activity_log')
    .select(['action', 'actor_user_id', 'details'])
    .where('subject_user_id', '=', user.user_id)
    .where('action', 'like', 'CHANGE%')
    .orderBy('id')
    .execute();

let user: Protected;
let operator: Person;
beforeEach(async () => {
  user = await protectedUser(h);
  operator = await h.operator();
});

test('a lost second factor is removed a day after the order, and the user is notified', async () => {
  const [status, body] = await remove(operator, user.user_id);
  expect([status, body]).toEqual([
    202,
    {
      message: expect.any(String),
      user_id: user.user_id,
      pending_change: expect.objectContaining({ kind: 'second-factor-removal', subject: '' }),
    },
  ]);
  const { created_at, takes_effect_at } = body.pending_change;
  expect(Date.parse(takes_effect_at) - Date.parse(created_at)).toBe(DAY_S * 1000);
  const mail = await mailTo(h, user.email, /on its way/);
  expect(mail.text).toMatch(/stop it/);
  await h.advance(DAY_S - 120);
  await h.drain();
  expect(await asksForCode(user)).toBe(true);
  await h.advance(180);
  await h.drain();
  expect(await asksForCode(user)).toBe(false);
  expect((await mailTo(h, user.email, /switched off/)).text).toBeDefined();
  expect(await logOf(user)).toMatchObject([
    { action: 'CHANGE_ORDERED', actor_user_id: operator.user_id, details: { reason: REASON } },
    {
      action: 'CHANGE_TOOK_EFFECT',
      actor_user_id: null,
      details: { proposed_by: operator.user_id },
    },
  ]);
  expect((await decide(linkIn(mail).token, 'refuse'))[0]).toBe(400);
});

test('the reader of the account’s mail can apply the order at once, or stop it', async () => {
  await remove(operator, user.user_id);
  const { link, token } = linkIn(await mailTo(h, user.email, /on its way/));
  expect(await (await fetch(link)).text()).toMatch(/Stop it[\s\S]*Do it now/);
  expect((await decide(token, 'confirm'))[0]).toBe(200);
  expect(await asksForCode(user)).toBe(false);

  const other = await protectedUser(h);
  await remove(operator, other.user_id);
  const stop = linkIn(await mailTo(h, other.email, /on its way/)).token;
  expect((await decide(stop, 'refuse'))[0]).toBe(200);
  await h.advance(DAY_S + 60);
  await h.drain();
  expect(await asksForCode(other)).toBe(true);
});

test('the user and operators cancel an order; the client’s own admins do not', async () => {
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const callOff = async (as: Person) => {
    const [, { pending_change }] = await remove(operator, user.user_id);
    const params = { user_id: user.user_id, change_id: pending_change.change_id };
    const id = 'DELETE /users/{user_id}/pending-changes/{change_id}';
    return (await h.call(id, { as, params }))[0];
  };
  expect(await callOff(admin)).toBe(404);
  expect(await callOff(operator)).toBe(200);
  expect(await callOff(user)).toBe(200);
});

test('a user who has lost the mailbox gets another address a day later; both get a mail', async () => {
  const email = `found-${user.email}`;
  const [status] = await move(operator, user.user_id, email);
  expect(status).toBe(202);
  expect((await mailTo(h, user.email, /on its way/)).text).toContain(unlinked(email));
  expect((await mailTo(h, email)).subject).toContain('to become');
  await h.advance(DAY_S + 60);
  await h.drain();
  expect(await emailOf(user)).toBe(email);
  expect((await mailTo(h, user.email, /address was changed/)).text).toBeDefined();
  expect((await mailTo(h, email, /^Confirm/)).text).toContain('Link: ');
  await h.call('POST /password/request_reset', { body: { email } });
  expect((await mailTo(h, email, /^Reset/)).text).toContain('Link: ');
});

test('an order that has become impossible is dropped, and the others are applied', async () => {
  const other = await h.user({ client_id: user.client_id });
  const email = `contested-${user.email}`;
  await move(operator, user.user_id, email);
  const third = await protectedUser(h);
  await remove(operator, third.user_id);
  await h.db.updateTable('users').set({ email }).where('user_id', '=', other.user_id).execute();
  await h.advance(DAY_S + 60);
  await h.drain();
  expect(await emailOf(user)).toBe(user.email);
  expect((await logOf(user)).at(-1)).toMatchObject({
    action: 'CHANGE_FAILED',
    details: { code: 'EMAIL_IN_USE' },
  });
  expect(await asksForCode(third)).toBe(false);
  const waiting = await h.db.selectFrom('pending_changes').selectAll().execute();
  expect(waiting.filter(({ user_id }) => user_id === user.user_id)).toEqual([]);
});

test('a service that was down for days applies an order when it is back', async () => {
  await remove(operator, user.user_id);
  await h.advance(5 * DAY_S);
  await h.drain();
  expect(await asksForCode(user)).toBe(false);
});

test('an admin’s proposal of the same change does not delay an order', async () => {
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const email = `both-${user.email}`;
  await move(operator, user.user_id, email);
  const { key_id } = await h.db
    .selectFrom('api_keys')
    .select('key_id')
    .where('key_hash', '=', digestOf(h.key))
    .executeTakeFirstOrThrow();
  await h.db
    .insertInto('user_otps')
    .values({
      user_id: admin.user_id,
      purpose: 'profile',
      asker: requesterMark({ ip: '127.0.0.1', key_id: key_id }),
      digest: h.kernel.vault.fingerprint('123456', `profile otp:${admin.user_id}`),
      expires_at: new Date(h.clock.now().getTime() + 60_000).toISOString(),
    })
    .execute();
  const [status, { pending_change }] = await h.call('PUT /users/update_profile/{user_id}', {
    as: admin,
    params: { user_id: user.user_id },
    body: { email, current_password: admin.password, otp_code: '123456' },
  });
  expect([status, pending_change.takes_effect_at]).toEqual([200, expect.stringMatching(/Z$/)]);
  await h.advance(DAY_S + 60);
  await h.drain();
  expect(await emailOf(user)).toBe(email);
});

test('only the operator gives orders, with a reason and a proof', async () => {
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const email = `x-${user.email}`;
  for (const as of [admin, await h.user({ role: 'admin' })]) {
    expect(await remove(as, user.user_id)).toMatchObject([403, { code: 'FORBIDDEN' }]);
    expect(await move(as, user.user_id, email)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  }
  expect(await remove(user, user.user_id)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  for (const reason of [undefined, '', '  ', 7, 'x'.repeat(501)])
    expect((await remove(operator, user.user_id, { reason }))[0]).toBe(400);
  for (const wrong of [undefined, 'x', 7])
    expect((await move(operator, user.user_id, wrong))[0]).toBe(400);
  expect(await remove(operator, 2_000_000_000)).toMatchObject([404, { code: 'USER_NOT_FOUND' }]);
  await h.advance(301);
  expect(await remove(operator, user.user_id)).toMatchObject([
    403,
    { code: 'FRESH_LOGIN_REQUIRED' },
  ]);
  const current_password = operator.password;
  expect((await remove(operator, user.user_id, { current_password }))[0]).toBe(202);
});

test('an impossible order is refused at once', async () => {
  const plain = await h.user({ client_id: user.client_id });
  expect(await remove(operator, plain.user_id)).toMatchObject([
    400,
    { code: 'TWO_FACTOR_NOT_ENABLED' },
  ]);
  expect(await move(operator, user.user_id, plain.email)).toMatchObject([
    409,
    { code: 'EMAIL_IN_USE' },
  ]);
  expect(await countMails(h, plain.email)).toBe(0);
});

test('in mock mode nothing waits', async () => {
  const here = await protectedUser(mock);
  const chief = await mock.operator();
  const email = `mock-${here.email}`;
  const done = { message: 'Done', user_id: here.user_id, pending_change: null };
  expect(await remove(chief, here.user_id, {}, mock)).toEqual([200, done]);
  expect(await asksForCode(here, mock)).toBe(false);
  expect(await remove(chief, here.user_id, {}, mock)).toMatchObject([400, {}]);
  expect(await move(chief, here.user_id, email, {}, mock)).toEqual([200, done]);
  expect(await emailOf(here, mock)).toBe(email);
  expect(await logOf(here, mock)).toMatchObject([
    { action: 'CHANGE_ORDERED', details: { reason: REASON, kind: 'second-factor-removal' } },
    { action: 'CHANGE_ORDERED', details: { reason: REASON, kind: 'email', subject: email } },
  ]);
  const [, { data }] = await mock.call('POST /2fa/setup', { as: here, body: {} });
  const body = { token: codeOf(mock, data.secret) };
  expect((await mock.call('POST /2fa/enable', { as: here, body }))[0]).toBe(200);
});
