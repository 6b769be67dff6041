import { expect, test } from 'vitest';
import { unlinked } from '#kernel/wording.ts';
import { harness, type Person } from '#test/harness.ts';
import { countMails, linkIn, mailTo } from '#test/mails.ts';
import { confirmationLink } from './accounts.ts';

/** An admin's changes to another user's address. Out of mock mode, but for the last test. */
const h = await harness({ mock: false, config: { PROFILE_OTP: 'off' } });
const mock = await harness();

const change = (by: Person, user: Person, fields: object, on = h) =>
  on.call('PUT /users/update_profile/{user_id}', {
    as: by,
    params: { user_id: user.user_id },
    body: { ...fields, current_password: by.password },
  });
const decide = (token: string, decision = 'confirm') =>
  h.call('POST /users/confirm-change', { as: 'nobody', body: { token, decision } });
const emailOf = async (user: Person) =>
  (await h.call('GET /users/{user_id}', { as: user, params: { user_id: user.user_id } }))[1].data
    .email;

async function company() {
  const user = await h.user();
  return { user, admin: await h.user({ role: 'admin', client_id: user.client_id }) };
}

test('an address from an admin waits for the user’s consent, and other fields do not', async () => {
  const { user, admin } = await company();
  const email = `thief-of-${user.email}`;
  const [status, body] = await change(admin, user, { email, username: 'Renamed' });
  expect([status, body]).toEqual([
    200,
    {
      message: expect.stringContaining('waits'),
      data: expect.objectContaining({ email: user.email, username: 'Renamed' }),
      pending_change: expect.objectContaining({ kind: 'email', subject: email }),
    },
  ]);
  expect(await emailOf(user)).toBe(user.email);
  expect(await countMails(h, email)).toBe(0);
  await h.call('POST /password/request_reset', { body: { email } });
  expect(await countMails(h, email)).toBe(0);

  const mail = await mailTo(h, user.email, /Confirm/);
  expect(mail.text).toContain(unlinked(email));
  expect((await decide(linkIn(mail).token))[0]).toBe(200);
  expect(await emailOf(user)).toBe(email);
  expect((await mailTo(h, user.email, /address was changed/)).text).not.toContain(unlinked(email));
  expect((await mailTo(h, email)).subject).toBe('Confirm your e-mail address');
});

test('the operator’s admins do no better, nor admins to one another', async () => {
  const { user, admin } = await company();
  const peer = await h.user({ role: 'admin', client_id: user.client_id });
  for (const [by, whom] of [
    [await h.operator(), user],
    [admin, peer],
  ] as const) {
    const [, body] = await change(by, whom, { email: `taken-${whom.email}` });
    expect(body.pending_change).toMatchObject({ takes_effect_at: null });
    expect(await emailOf(whom)).toBe(whom.email);
  }
});

test('one’s own address, and an unchanged one, need no consent', async () => {
  const { user, admin } = await company();
  const [, own] = await change(admin, admin, { email: `own-${admin.email}` });
  expect([own.data.email, own.pending_change]).toEqual([`own-${admin.email}`, undefined]);
  const [, same] = await change({ ...admin }, user, { email: user.email });
  expect(same.pending_change).toBeUndefined();
});

test('an address of another user of the client is refused at once, and also at the end', async () => {
  const { user, admin } = await company();
  const other = await h.user({ client_id: user.client_id });
  const taken = [409, { code: 'EMAIL_IN_USE' }];
  expect(await change(admin, user, { email: other.email.toUpperCase() })).toMatchObject(taken);
  const wanted = `wanted-${user.email}`;
  await change(admin, user, { email: wanted });
  const { token } = linkIn(await mailTo(h, user.email, /Confirm/));
  await h.db
    .updateTable('users')
    .set({ email: wanted })
    .where('user_id', '=', other.user_id)
    .execute();
  expect(await decide(token)).toMatchObject(taken);
  expect(await emailOf(user)).toBe(user.email);
});

test('links mailed to an address end with it, for every holder', async () => {
  const { user, admin } = await company();
  await change(admin, user, { email: `first-${user.email}` });
  const first = linkIn(await mailTo(h, user.email, /Confirm/)).token;
  const confirm = await confirmationLink(h.db, h.kernel, user.user_id);
  await change(user, user, { email: `moved-${user.email}` });
  expect((await decide(first))[0]).toBe(400);
  expect((await fetch(confirm)).status).toBe(400);
  expect(await emailOf(user)).toBe(`moved-${user.email}`);
});

test('in mock mode an admin’s change counts at once, by the contract', async () => {
  const user = await mock.user();
  const admin = await mock.user({ role: 'admin', client_id: user.client_id });
  const email = `at-once-${user.email}`;
  const [, body] = await change(admin, user, { email }, mock);
  expect([body.data.email, body.pending_change]).toEqual([email, undefined]);
  expect((await mailTo(mock, user.email)).subject).toBe('Your e-mail address was changed');
});
