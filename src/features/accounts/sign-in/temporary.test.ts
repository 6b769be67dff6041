import { expect, test } from 'vitest';
import { type Body, harness } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';
import { codeOf, complete } from '#test/two-factor.ts';

const h = await harness();
const LIFE_S = 72 * 3600;

const logIn = (usernameoremail: string, password: string): Promise<[number, Body]> =>
  h.call('POST /auth/login', { body: { usernameoremail, password } });
const withoutId = ([status, { request_id: _, ...told }]: [number, Body]) => [status, told];

let serial = 0;
/** A user whose password we made and mailed. */
interface Fresh {
  readonly email: string;
  readonly password: string;
  readonly mail: string;
}
const newEmail = () => {
  serial += 1;
  return `fresh-${serial}@example.test`;
};
async function mailed(email: string): Promise<Fresh> {
  const { text: mail } = await mailTo(h, email, /^Welcome/);
  return { email, mail, password: /^Password: (\S+)$/m.exec(mail)?.[1] ?? '' };
}
async function newUser(): Promise<Fresh> {
  const as = await h.user({ role: 'admin' });
  const email = newEmail();
  const { client_id } = as;
  const person = { username: `fresh ${serial}`, email, phone: '+15550177', country_code: 'US' };
  const [status] = await h.call('POST /admins/users', { as, body: { client_id, ...person } });
  expect(status).toBe(201);
  return mailed(email);
}
async function newClient(): Promise<Fresh> {
  const email = newEmail();
  const company = { client_alias: `Fresh ${serial}`, client_type: 'BUSINESS', phone: '+15550178' };
  const body = { email, ...company, country_code: 'US' };
  expect((await h.call('POST /clients/create_with_admin', { body }))[0]).toBe(201);
  return mailed(email);
}
const KINDS = [
  ['a user', newUser],
  ['an admin of a new client', newClient],
] as const;

async function reset(email: string, new_password: string): Promise<void> {
  await h.call('POST /password/request_reset', { body: { email } });
  const { token } = linkIn(await mailTo(h, email, /^Reset/));
  const body = { token, new_password };
  expect((await h.call('POST /password/reset', { body }))[0]).toBe(200);
}

test.each(KINDS)('%s has to change the mailed password, until it is changed', async (_, make) => {
  const { email, password, mail } = await make();
  expect(mail).toMatch(/temporary/i);
  expect(mail).toContain('72 hours');
  for (let again = 0; again < 2; again += 1)
    expect(await logIn(email, password)).toMatchObject([
      200,
      { requires_2fa: false, data: { password_change_required: true } },
    ]);
  await reset(email, 'a password of my own');
  const [status, { data }] = await logIn(email, 'a password of my own');
  expect([status, 'password_change_required' in data]).toEqual([200, false]);
});

test.each(KINDS)(
  'the mailed password of %s lapses when it is not used for 72 hours',
  async (_, make) => {
    const [late, used] = [await make(), await make()];
    await logIn(used.email, used.password);
    await h.advance(LIFE_S - 60);
    const inTime = await make();
    await h.advance(61);
    const lapsed = await logIn(late.email, late.password);
    expect(withoutId(lapsed)).toEqual(withoutId(await logIn(late.email, 'wrong')));
    expect(lapsed[0]).toBe(401);
    for (const { email, password } of [used, inTime])
      expect((await logIn(email, password))[0]).toBe(200);
    // No table keeps a lapsed password.
    await h.advance(3600);
    await h.drain();
    const hashes = await h.db
      .selectFrom('users')
      .where('email', 'in', [late.email, used.email])
      .orderBy('user_id')
      .select(({ eb }) => eb('password_hash', 'is', null).as('gone'))
      .execute();
    expect(hashes.map(({ gone }) => gone)).toEqual([true, false]);
    await reset(late.email, 'a password of my own');
    const [status, { data }] = await logIn(late.email, 'a password of my own');
    expect([status, 'password_change_required' in data]).toEqual([200, false]);
  },
);

test('many concurrent first log-ins all succeed, and the password stays', async () => {
  const { email, password } = await newUser();
  const tries = Array.from({ length: 20 }, () => logIn(email, password));
  expect((await Promise.all(tries)).map(([status]) => status)).toEqual(Array(20).fill(200));
  await h.advance(LIFE_S + 3600);
  await h.drain();
  expect((await logIn(email, password))[0]).toBe(200);
});

test('a user with a second factor has to change it after the code', async () => {
  const { email, password } = await newUser();
  const [, { data: as }] = await logIn(email, password);
  const [, { data }] = await h.call('POST /2fa/setup', { as, body: {} });
  const body = { token: codeOf(h, data.secret), password };
  expect((await h.call('POST /2fa/enable', { as, body }))[0]).toBe(200);
  const [, half] = await logIn(email, password);
  expect([half.requires_2fa, 'password_change_required' in half.data]).toEqual([true, false]);
  expect(await complete(h, half.data, codeOf(h, data.secret))).toMatchObject([
    200,
    { data: { password_change_required: true } },
  ]);
});
