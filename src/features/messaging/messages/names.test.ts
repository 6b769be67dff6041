import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { mailTo } from '#test/mails.ts';

/** What people call themselves, in the messages that repeat it. */
const h = await harness();
const LURE = 'Your parcel waits at https://evil.example/pay or www.evil.example, a@evil.example';
const LINK = /evil\.example|www\.\S|@evil/;

async function lastMail(to: string, about: RegExp): Promise<string> {
  const mail = await mailTo(h, to, about);
  return `${mail.subject}\n${mail.text}`;
}
const signUp = (email: string) =>
  h.call('POST /clients/create_with_admin', {
    body: {
      email,
      client_alias: LURE,
      client_type: 'BUSINESS',
      country_code: 'SG',
      phone: '+6561234567',
    },
  });

test('a client’s name makes no link in its welcome, and stays as it was given', async () => {
  const [status, { client, admin_user }] = await signUp('founder@example.test');
  expect(status).toBe(201);
  expect([client.client_alias, admin_user.username]).toEqual([LURE, LURE]);
  const mail = await lastMail('founder@example.test', /^Welcome/);
  expect(mail).toContain('Your parcel waits at');
  expect(mail).not.toMatch(LINK);
  expect(mail).toMatch(/^Link: https?:\/\/\S+$/m);
  expect(mail).toMatch(/^Password: \S+$/m);
});

test('nor does a user’s in the welcome, in a reset link’s mail and in those of a new address', async () => {
  const as = await h.user({ role: 'admin' });
  const body = {
    client_id: as.client_id,
    username: LURE,
    email: 'bomb@example.test',
    phone: '+6561234567',
    country_code: 'SG',
  };
  const [status, { user, temp_password }] = await h.call('POST /admins/users', { as, body });
  expect([status, user.username]).toEqual([201, LURE]);
  const mail = await lastMail('bomb@example.test', /^Welcome/);
  expect(mail).not.toMatch(LINK);
  expect(mail).toContain(`\nPassword: ${temp_password}\n`);
  expect(mail).toMatch(/^Link: https?:\/\/\S+$/m);

  await h.call('POST /password/request_reset', { body: { email: 'bomb@example.test' } });
  const reset = await lastMail('bomb@example.test', /^Reset/);
  expect(reset).toContain('Your parcel waits at');
  expect(reset).not.toMatch(LINK);
  expect(reset).toMatch(/^Link: https?:\/\/\S+$/m);

  const params = { user_id: user.user_id };
  const change = { email: 'moved@example.test', current_password: as.password };
  expect(
    (await h.call('PUT /users/update_profile/{user_id}', { as, params, body: change }))[0],
  ).toBe(200);
  // What the old address is told names nobody.
  expect(await lastMail('bomb@example.test', /changed/)).not.toMatch(LINK);
  const told = await lastMail('moved@example.test', /^Confirm/);
  expect(told).toContain('Hello Your parcel waits at');
  expect(told).not.toMatch(LINK);
  expect(told).toMatch(/^Link: https?:\/\/\S+$/m);
});
