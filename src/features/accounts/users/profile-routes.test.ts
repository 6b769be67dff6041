import { expect, test } from 'vitest';
import { whilePasswordChanges } from '#test/changing-password.ts';
import { harness, type Person } from '#test/harness.ts';
import { linkOf, mailTo } from '#test/mails.ts';
import { confirmationLink } from './accounts.ts';

const h = await harness();
const strict = await harness({ config: { PROFILE_OTP: 'required' } });

const update = (as: Person, body: object, user_id: number | string = as.user_id, on = h) =>
  on.call('PUT /users/update_profile/{user_id}', { as, params: { user_id }, body });
const requestOtp = (user_id: unknown, on = h, key?: string) =>
  on.call('POST /users/request-otp', { body: { user_id }, ...(key && { key }) });
const read = async (as: Person) =>
  (await h.call('GET /users/{user_id}', { as, params: { user_id: as.user_id } }))[1].data;

test('a user changes the own profile with the current password', async () => {
  const as = await h.user();
  const change = { username: 'New Name', email: 'new-name@example.test', phone: '+62812345678' };
  const [status, body] = await update(as, { ...change, current_password: as.password });
  expect([status, body]).toEqual([
    200,
    {
      message: expect.any(String),
      data: { user_id: as.user_id, ...change, updated: expect.stringMatching(/Z$/) },
    },
  ]);
  expect(await read(as)).toMatchObject(change);
});

test('a field that is not sent stays as it is', async () => {
  const as = await h.user();
  const { email } = await read(as);
  await update(as, { phone: '+62899999999', current_password: as.password });
  expect(await read(as)).toMatchObject({ email, username: as.username, phone: '+62899999999' });
});

test('only name, address and phone change, whatever else is sent', async () => {
  const as = await h.user();
  const before = await read(as);
  const row = () =>
    h.db.selectFrom('users').selectAll().where('user_id', '=', as.user_id).executeTakeFirst();
  const { updated: _, ...stored } = (await row()) ?? {};
  const more = {
    role: 'admin',
    client_id: 1,
    user_status: 'INACTIVE',
    user_id: 1,
    password_hash: 'x',
    twofa_enabled: true,
    confirmed_at: '2026-01-01T00:00:00Z',
    nonsense: 7,
  };
  for (const [name, value] of Object.entries(more))
    expect((await update(as, { [name]: value, current_password: as.password }))[0]).toBe(200);
  expect(await row()).toMatchObject(stored);
  expect(await read(as)).toEqual({ ...before, updated: expect.any(String) });
  const details = { changed: [] };
  const logged = await h.db
    .selectFrom('activity_log')
    .select('details')
    .where('subject_user_id', '=', as.user_id)
    .execute();
  expect(logged).toEqual(Object.keys(more).map(() => ({ details })));
});

test('without the password, or with a wrong one, nothing changes', async () => {
  const as = await h.user();
  expect(await update(as, { username: 'x' })).toMatchObject([
    400,
    { error: 'Current password is required', details: [{ field: 'current_password' }] },
  ]);
  expect(await update(as, { username: 'x', current_password: 'guess' })).toMatchObject([
    400,
    { error: 'Current password is incorrect', code: 'INVALID_PASSWORD' },
  ]);
  expect((await read(as)).username).toBe(as.username);
});

test('a password that changes during its check proves nothing', async () => {
  const as = await h.user();
  const change = { email: `thief-${as.email}`, current_password: as.password };
  expect(await whilePasswordChanges(h, as.user_id, () => update(as, change))).toMatchObject([
    400,
    { code: 'INVALID_PASSWORD' },
  ]);
  expect((await read(as)).email).toBe(as.email);
});

test('guesses at the password are slowed down, and then even the right one waits', async () => {
  const as = await h.user();
  const guesses = await Promise.all(
    Array.from({ length: 14 }, () => update(as, { current_password: 'guess' })),
  );
  expect(guesses.map(([status]) => status).sort()).toEqual([
    ...Array(10).fill(400),
    ...Array(4).fill(429),
  ]);
  expect((await update(as, { current_password: as.password }))[0]).toBe(429);
});

test.each([
  { username: '' },
  { email: 'x' },
  { phone: 'x' },
  { email: null },
  { username: 'a\nb' },
])('a profile is not changed to %j', async (change) => {
  const as = await h.user();
  const [status, body] = await update(as, { ...change, current_password: as.password });
  expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(body.details[0].field).toBe(Object.keys(change)[0]);
});

test('an address of another user of the client is refused', async () => {
  const [as, { client_id }] = [await h.user(), await h.user()];
  const other = await h.user({ client_id: as.client_id });
  const body = { email: other.email.toUpperCase(), current_password: as.password };
  expect(await update(as, body)).toMatchObject([409, { code: 'EMAIL_IN_USE' }]);
  const elsewhere = await h.user({ client_id });
  expect((await update(elsewhere, { ...body, current_password: elsewhere.password }))[0]).toBe(200);
});

test('an admin changes users of the own client with the own password, and no others', async () => {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const stranger = await h.user({ role: 'admin' });
  const body = (as: Person) => ({ username: 'Renamed', current_password: as.password });
  const missing = [404, { error: 'User not found' }];
  expect(await update(stranger, body(stranger), user.user_id)).toMatchObject(missing);
  expect(await update(user, body(user), admin.user_id)).toMatchObject(missing);
  expect(await update(user, body(user), 999_999)).toMatchObject(missing);
  expect((await update(user, body(user), 'x'))[0]).toBe(400);
  expect((await update(admin, body(admin), user.user_id))[0]).toBe(200);
  expect((await read(user)).username).toBe('Renamed');
});

test('a new address ends links to the old one, which gets a mail, and needs confirmation', async () => {
  const as = await h.user();
  await h.db
    .insertInto('user_links')
    .values({
      digest: Buffer.alloc(32, as.user_id),
      user_id: as.user_id,
      purpose: 'reset',
      expires_at: '2100-01-01T00:00:00Z',
    })
    .execute();
  const old = await confirmationLink(h.db, h.kernel, as.user_id);
  const email = `moved-${as.email}`;
  await update(as, { email, current_password: as.password });
  expect((await mailTo(h, as.email, /changed/)).text).toBeDefined();
  expect((await fetch(old)).status).toBe(400);
  expect((await read(as)).confirmed_at).toBeNull();
  expect((await fetch(linkOf(await mailTo(h, email, /^Confirm/)))).status).toBe(200);
  expect((await read(as)).confirmed_at).not.toBeNull();
  const links = h.db.selectFrom('user_links').select('purpose').where('user_id', '=', as.user_id);
  expect(await links.execute()).toEqual([{ purpose: 'confirmed' }]);
});

test('in mock mode a code is in the answer', async () => {
  const { user_id } = await h.user();
  expect(await requestOtp(user_id)).toEqual([
    200,
    { message: expect.any(String), otp: expect.stringMatching(/^\d{6}$/) },
  ]);
  const wrong = [400, { error: 'user_id must be a number' }];
  for (const id of [undefined, null, 'abc', true, 0, 1.5, {}])
    expect(await requestOtp(id)).toMatchObject(wrong);
  expect(await requestOtp(999_999)).toMatchObject([404, { error: 'User not found' }]);
  const stranger = await h.user({ client_id: (await h.client()).client_id });
  expect((await requestOtp(user_id, h, await h.apiKey(stranger)))[0]).toBe(404);
  const application = await h.apiKey({ client_id: stranger.client_id });
  expect((await requestOtp(user_id, h, application))[0]).toBe(200);
});

test('where configured, a profile needs a fresh code, and each code works once', async () => {
  const as = await strict.user();
  const change = (otp_code?: unknown) =>
    update(as, { phone: '+62811', current_password: as.password, otp_code }, as.user_id, strict);
  const code = async () => (await requestOtp(as.user_id, strict))[1].otp as string;
  expect(await change()).toMatchObject([400, { error: 'OTP code is required' }]);
  const invalid = [400, { error: 'OTP code is invalid or expired', code: 'INVALID_CODE' }];
  expect(await change('000000')).toMatchObject(invalid);
  const replaced = await code();
  const first = await code();
  if (replaced !== first) expect(await change(replaced)).toMatchObject(invalid);
  const many = await Promise.all(Array.from({ length: 5 }, () => change(first)));
  expect(many.map(([status]) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  const kept = await code();
  await strict.advance(5 * 60 - 10);
  expect((await change(kept))[0]).toBe(200);
  const late = await code();
  await strict.advance(5 * 60 + 1);
  expect(await change(late)).toMatchObject(invalid);
});

test('a code is void after five wrong tries', async () => {
  const as = await strict.user();
  const otp = (await requestOtp(as.user_id, strict))[1].otp as string;
  const wrong = otp === '111111' ? '222222' : '111111';
  const change = (otp_code: string) =>
    update(as, { phone: '+62811', current_password: as.password, otp_code }, as.user_id, strict);
  for (let n = 0; n < 5; n += 1) expect((await change(wrong))[0]).toBe(400);
  expect(await change(otp)).toMatchObject([400, { code: 'INVALID_CODE' }]);
});
