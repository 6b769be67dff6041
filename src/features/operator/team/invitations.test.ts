import { expect, test } from 'vitest';
import { emittedTypes } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';
import { countMails, linkIn, mailTo } from '#test/mails.ts';
import { acceptInvitation, freshly, invitationToken, invite, joined, refusal } from '#test/team.ts';

const h = await harness({ mock: false });
const owner = await h.user({ role: 'admin' });
const { client_id } = owner;
const HOUR_S = 3600;

const roleOf = async (user_id: number) =>
  await h.db
    .selectFrom('users')
    .select(['role', 'team_role', 'confirmed_at'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();

test('an invited person joins in the role of the invitation, with an address that is proven', async () => {
  const email = 'ratna@example.test';
  const [status, { data }] = await invite(h, owner, email, 'finance');
  expect([status, data]).toMatchObject([201, { email, team_role: 'finance', accepted_by: null }]);
  expect(JSON.stringify(data)).not.toContain('token');
  const [, { data: before }] = await h.call('GET /team', { as: owner });
  expect(before.invitations).toEqual([data]);
  const [joinedStatus, answer] = await acceptInvitation(h, await invitationToken(h, email));
  expect([joinedStatus, answer.data]).toMatchObject([
    201,
    { client_id, email, team_role: 'finance', second_factor: false },
  ]);
  const { user_id } = answer.data;
  expect(await roleOf(user_id)).toMatchObject({
    role: 'admin',
    team_role: 'finance',
    confirmed_at: expect.any(String),
  });
  const body = { usernameoremail: email, password: 'four words of hers' };
  expect((await h.call('POST /auth/login', { body }))[0]).toBe(200);
  const [, { data: after }] = await h.call('GET /team', { as: owner });
  expect(after.invitations).toEqual([]);
  expect(after.members.map((one: { user_id: number }) => one.user_id)).toContain(user_id);
  expect(await emittedTypes(h, 'team_invitation', data.invitation_id)).toEqual([
    'team_invitation.created',
    'team_invitation.accepted',
  ]);
  expect((await mailTo(h, owner.email, /team of your organisation/)).text).toContain('finance');
});

test('a link works once, for 72 hours, and only the newest to an address', async () => {
  const email = 'once@example.test';
  await invite(h, owner, email, 'viewer');
  const first = await invitationToken(h, email);
  await invite(h, owner, email, 'support');
  const second = await invitationToken(h, email);
  expect(second).not.toBe(first);
  expect(refusal(await acceptInvitation(h, first))).toBe('INVALID_TOKEN');
  const both = await Promise.all([acceptInvitation(h, second), acceptInvitation(h, second)]);
  expect(both.map(([status]) => status).sort()).toEqual([201, 400]);
  expect(refusal(await acceptInvitation(h, second))).toBe('INVALID_TOKEN');

  await invite(h, owner, 'late@example.test', 'viewer');
  const late = await invitationToken(h, 'late@example.test');
  await h.advance(72 * HOUR_S + 1);
  expect(refusal(await acceptInvitation(h, late))).toBe('INVALID_TOKEN');
});

test('an invitation that was taken back, or whose owner is one no more, is void', async () => {
  const other = await h.user({ role: 'admin', client_id });
  const as = { as: await freshly(h, owner) };
  await invite(h, as.as, 'back@example.test', 'viewer');
  const back = await invitationToken(h, 'back@example.test');
  const [, { data }] = await h.call('GET /team', as);
  const { invitation_id } = data.invitations[0];
  const params = { invitation_id };
  const stranger = await h.user({ role: 'admin' });
  const id = 'DELETE /team/invitations/{invitation_id}' as const;
  expect((await h.call(id, { as: stranger, params }))[0]).toBe(404);
  expect((await h.call(id, { ...as, params }))[0]).toBe(200);
  expect((await h.call(id, { ...as, params }))[0]).toBe(404);
  expect(refusal(await acceptInvitation(h, back))).toBe('INVALID_TOKEN');

  await invite(h, await freshly(h, other), 'theirs@example.test', 'owner');
  const theirs = await invitationToken(h, 'theirs@example.test');
  await h.db
    .updateTable('users')
    .set({ team_role: 'viewer' })
    .where('user_id', '=', other.user_id)
    .execute();
  expect(refusal(await acceptInvitation(h, theirs))).toBe('INVALID_TOKEN');
});

test('an address that has a user at the client is not invited, and no user is overwritten', async () => {
  const as = await freshly(h, owner);
  const user = await h.user({ client_id });
  expect(refusal(await invite(h, as, user.email.toUpperCase(), 'viewer'))).toBe('EMAIL_EXISTS');
  await invite(h, as, 'meanwhile@example.test', 'viewer');
  const token = await invitationToken(h, 'meanwhile@example.test');
  const meanwhile = await h.user({ client_id, email: 'meanwhile@example.test' });
  expect(refusal(await acceptInvitation(h, token))).toBe('EMAIL_EXISTS');
  expect(await roleOf(meanwhile.user_id)).toMatchObject({ role: 'user', team_role: null });
});

test('to invite needs a log-in of the last five minutes, or another proof', async () => {
  const as = await freshly(h, owner);
  await h.advance(5 * 60 + 1);
  const email = 'proof@example.test';
  expect(refusal(await invite(h, as, email, 'owner'))).toBe('FRESH_LOGIN_REQUIRED');
  const wish = { email, team_role: 'owner' };
  const ask = (current_password: string) =>
    h.call('POST /team/invitations', { as, body: { ...wish, current_password } });
  expect(refusal(await ask('wrong'))).toBe('INVALID_PASSWORD');
  expect(await countMails(h, email)).toBe(0);
  expect((await ask(owner.password))[0]).toBe(201);
});

test('only owners invite', async () => {
  const as = await freshly(h, owner);
  for (const role of ['developer', 'finance', 'support', 'viewer'] as const) {
    const member = await joined(h, as, role);
    const refused = await invite(h, member, 'more@example.test', 'viewer');
    expect([role, refusal(refused)]).toEqual([role, 'FORBIDDEN']);
  }
});

test('the page of the link asks in the reader’s language, and says when it works no more', async () => {
  const email = '"<b>x</b>"@example.test';
  const as = await freshly(h, owner);
  const [status] = await invite(h, as, email, 'support');
  if (status === 201) expect(await countMails(h, email)).toBe(1);
  await invite(h, as, 'page@example.test', 'support');
  const { link } = linkIn(await mailTo(h, 'page@example.test'));
  const at = link.replace(/^https?:\/\/[^/]+/, h.kernel.publicUrl());
  const english = await (await fetch(at)).text();
  expect(english).toContain('Join the team');
  expect(english).toContain('page@example.test');
  const indonesian = await fetch(at, { headers: { 'accept-language': 'id' } });
  expect(await indonesian.text()).toContain('layanan pelanggan');
  const over = await fetch(`${h.kernel.publicUrl()}/join-team?token=${'0'.repeat(64)}`);
  expect([over.status, await over.text()]).toEqual([400, expect.stringContaining('72 hours')]);
});
