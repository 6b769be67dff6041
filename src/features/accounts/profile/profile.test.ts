import { expect, test } from 'vitest';
import { mobileLogIn, testDevice } from '#test/devices.ts';
import { type Body, harness } from '#test/harness.ts';
import { codeTo, countMails, linkIn, mailTo } from '#test/mails.ts';
import { protectedUser, codeOf as totpOf } from '#test/two-factor.ts';

const h = await harness();
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const logIn = async (email: string, password: string) =>
  (await h.call('POST /auth/login', { body: { usernameoremail: email, password } }))[0];
const isIn = async (as: { token: string }) => (await h.call('GET /profile', { as }))[0] === 200;

test('people see and change what they say of themselves', async () => {
  const as = await h.user();
  const [, { data: before }] = await h.call('GET /profile', { as });
  expect(before).toMatchObject({
    user_id: as.user_id,
    email: as.email,
    first_name: null,
    locale: null,
    preferences: { email: true, sms: true, push: true },
    pending_change: null,
    version: 1,
  });
  const body = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    locale: 'id',
    time_zone: 'Asia/Jakarta',
    preferences: { sms: false },
    version: 1,
  };
  const [status, { data }] = await h.call('PATCH /profile', { as, body });
  expect([status, data]).toMatchObject([
    200,
    {
      first_name: 'Ada',
      last_name: 'Lovelace',
      locale: 'id',
      time_zone: 'Asia/Jakarta',
      preferences: { email: true, sms: false, push: true },
      version: 2,
    },
  ]);
  expect(codeOf(await h.call('PATCH /profile', { as, body }))).toEqual([409, 'VERSION_CONFLICT']);
  const wrong = [{ time_zone: 'Mars/Olympus' }, { locale: 'fr' }, { first_name: 'x'.repeat(101) }];
  for (const one of wrong) expect((await h.call('PATCH /profile', { as, body: one }))[0]).toBe(400);
  const cleared = await h.call('PATCH /profile', { as, body: { locale: null } });
  expect(cleared[1].data).toMatchObject({ locale: null, first_name: 'Ada' });
});

test('a verified name stays', async () => {
  const as = await h.user({ ekyc_status: 'APPROVED' });
  expect(codeOf(await h.call('PATCH /profile', { as, body: { last_name: 'King' } }))).toEqual([
    409,
    'INVALID_STATUS',
  ]);
  expect((await h.call('PATCH /profile', { as, body: { locale: 'en' } }))[0]).toBe(200);
});

test('a new password ends all other sessions and devices, and is no reset', async () => {
  const phone = '+12025553001';
  const as = await h.user({ phone });
  const mobile = await mobileLogIn(h, phone, await testDevice(h));
  const change = (current_password: string, new_password = 'a new password') =>
    h.call('POST /profile/password', { as, body: { current_password, new_password } });
  expect(codeOf(await change('wrong'))).toEqual([400, 'INVALID_PASSWORD']);
  expect((await change(as.password))[0]).toBe(200);
  expect([await isIn(as), await isIn(mobile)]).toEqual([true, false]);
  expect(await logIn(as.email, as.password)).toBe(401);
  expect(await logIn(as.email, 'a new password')).toBe(200);
  const user = await h.db
    .selectFrom('users')
    .select('password_reset_at')
    .where('user_id', '=', as.user_id)
    .executeTakeFirstOrThrow();
  expect(user.password_reset_at).toBeNull();
  expect((await mailTo(h, as.email, /password was changed/)).text).toContain('Link: ');
});

test('a new address counts by the link to it, once', async () => {
  const as = await h.user();
  const new_email = `new-${as.email}`;
  const body = { new_email, current_password: as.password };
  const [status, { data }] = await h.call('POST /profile/email', { as, body });
  expect([status, data.pending_change.new_email]).toEqual([202, new_email]);
  expect((await h.call('GET /profile', { as }))[1].data).toMatchObject({
    email: as.email,
    pending_change: { new_email },
  });
  const { token, link } = linkIn(await mailTo(h, new_email, /Confirm your new/));
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Yes, confirm')]);
  const confirm = () => h.call('POST /profile/email/confirm', { as: 'nobody', body: { token } });
  const answers = await Promise.all(Array.from({ length: 20 }, confirm));
  expect(answers.filter(([one]) => one === 200)).toHaveLength(1);
  expect(codeOf(await confirm())).toEqual([400, 'INVALID_TOKEN']);
  const [, { data: after }] = await h.call('GET /profile', { as });
  expect(after).toMatchObject({ email: new_email, pending_change: null });
});

test('the old address undoes a change for 72 hours, and every later one with it', async () => {
  const as = await h.user();
  const [first, second] = [`thief-${as.email}`, `thief2-${as.email}`];
  const move = async (new_email: string) => {
    const body = { new_email, current_password: as.password };
    expect((await h.call('POST /profile/email', { as, body }))[0]).toBe(202);
    const { token } = linkIn(await mailTo(h, new_email, /Confirm your new/));
    const done = await h.call('POST /profile/email/confirm', { as: 'nobody', body: { token } });
    expect(done[0]).toBe(200);
  };
  await move(first);
  await move(second);
  const theirs = linkIn(await mailTo(h, first, /about to change/));
  const mine = linkIn(await mailTo(h, as.email, /about to change/));
  await h.advance(71 * 3600);
  const undo = (token: string) =>
    h.call('POST /profile/email/undo', { as: 'nobody', body: { token } });
  expect((await undo(mine.token))[0]).toBe(200);
  expect(codeOf(await undo(mine.token))).toEqual([400, 'INVALID_TOKEN']);
  expect(codeOf(await undo(theirs.token))).toEqual([400, 'INVALID_TOKEN']);
  expect(await isIn(as)).toBe(false);
  expect(await logIn(as.email, as.password)).toBe(200);
});

test('an undone change that waits never counts, nor does a late link', async () => {
  const as = await h.user();
  const ask = async (new_email: string) =>
    h.call('POST /profile/email', {
      as,
      body: { new_email, current_password: as.password },
    });
  await ask(`a-${as.email}`);
  const waiting = linkIn(await mailTo(h, `a-${as.email}`, /Confirm your new/));
  const undo = linkIn(await mailTo(h, as.email, /about to change/));
  const confirm = (token: string) =>
    h.call('POST /profile/email/confirm', { as: 'nobody', body: { token } });
  await ask(`b-${as.email}`);
  expect(codeOf(await confirm(waiting.token))).toEqual([400, 'INVALID_TOKEN']);
  const late = linkIn(await mailTo(h, `b-${as.email}`, /Confirm your new/));
  await h.advance(24 * 3600 + 1);
  expect(codeOf(await confirm(late.token))).toEqual([400, 'LINK_EXPIRED']);
  await h.advance(48 * 3600);
  const gone = await h.call('POST /profile/email/undo', {
    as: 'nobody',
    body: { token: undo.token },
  });
  expect(gone[0]).toBe(400);
});

test('an address that is taken meanwhile is refused', async () => {
  const as = await h.user();
  const new_email = `taken-${as.email}`;
  const body = { new_email, current_password: as.password };
  await h.call('POST /profile/email', { as, body });
  const { token } = linkIn(await mailTo(h, new_email, /Confirm your new/));
  await h.user({ client_id: as.client_id, email: new_email });
  const late = await h.call('POST /profile/email/confirm', { as: 'nobody', body: { token } });
  expect(codeOf(late)).toEqual([409, 'EMAIL_IN_USE']);
  expect(codeOf(await h.call('POST /profile/email', { as, body }))).toEqual([409, 'EMAIL_IN_USE']);
});

test('with a second factor a change of address takes a code of it', async () => {
  const as = await protectedUser(h);
  const body = { new_email: `x-${as.email}`, current_password: as.password };
  expect(codeOf(await h.call('POST /profile/email', { as, body }))).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
  await h.advance(30);
  const two_fa_token = totpOf(h, as.secret);
  const sent = { as, body: { ...body, two_fa_token } };
  expect((await h.call('POST /profile/email', sent))[0]).toBe(202);
  expect(codeOf(await h.call('POST /profile/email', sent))).toEqual([400, 'INVALID_CODE']);
});

test('a new phone counts by the code to it, and the old one is told', async () => {
  const [old, new_phone] = ['+12025553010', '+12025553011'];
  const as = await h.user({ phone: old });
  const body = { new_phone, channel: 'sms', current_password: as.password };
  const wrong = { ...body, current_password: 'wrong' };
  expect(codeOf(await h.call('POST /profile/phone', { as, body: wrong }))).toEqual([
    400,
    'INVALID_PASSWORD',
  ]);
  const [, { data }] = await h.call('POST /profile/phone', { as, body });
  const otp_code = await codeTo(h, new_phone);
  const confirm = (as: { token: string }, code: string) =>
    h.call('POST /profile/phone/confirm', { as, body: { otp_id: data.otp_id, otp_code: code } });
  expect(codeOf(await confirm(await h.user(), otp_code))).toEqual([400, 'INVALID_CODE']);
  const guess = otp_code === '000000' ? '000001' : '000000';
  expect(codeOf(await confirm(as, guess))).toEqual([400, 'INVALID_CODE']);
  expect((await confirm(as, otp_code))[1].data).toEqual({ phone: new_phone });
  expect((await confirm(as, otp_code))[0]).toBe(400);
  expect(await countMails(h, old)).toBe(1);
});

test('five wrong codes end the code of a new phone', async () => {
  const as = await h.user();
  const new_phone = '+12025553020';
  const body = { new_phone, channel: 'sms', current_password: as.password };
  const [, { data }] = await h.call('POST /profile/phone', { as, body });
  expect((await h.call('POST /profile/phone', { as, body }))[0]).toBe(429);
  const otp_code = await codeTo(h, new_phone);
  const wrong = otp_code === '000000' ? '000001' : '000000';
  const confirm = (code: string) =>
    h.call('POST /profile/phone/confirm', { as, body: { otp_id: data.otp_id, otp_code: code } });
  for (let n = 0; n < 5; n += 1) await confirm(wrong);
  expect(codeOf(await confirm(otp_code))).toEqual([400, 'CODE_EXPIRED']);
});

test('mails and pages come in the language of their reader', async () => {
  const as = await h.user();
  await h.call('PATCH /profile', { as, body: { locale: 'id' } });
  const new_email = `id-${as.email}`;
  const body = { new_email, current_password: as.password };
  await h.call('POST /profile/email', { as, body });
  const mail = await mailTo(h, as.email, /akan diubah/);
  expect(mail.text).toContain('72 jam');
  const { link } = linkIn(await mailTo(h, new_email, /Konfirmasi/));
  const read = async (url: string, language?: string) =>
    (await fetch(url, { headers: language ? { 'accept-language': language } : {} })).text();
  expect(await read(link, 'id-ID,id;q=0.9')).toContain('lang="id"');
  expect(await read(link)).toContain('Yes, confirm it');
  expect(await read(`${link}&lang=id`, 'en')).toContain('Ya, konfirmasi');
});

test('people see what they have done, and no one else’s acts', async () => {
  const [as, other] = [await h.user(), await h.user({ role: 'admin' })];
  await h.call('PATCH /profile', { as, body: { locale: 'en' } });
  await h.call('PATCH /profile', { as: other, body: { locale: 'id' } });
  const [, { data }] = await h.call('GET /profile/activity', { as, query: { limit: 1 } });
  expect(data.items).toEqual([
    {
      at: expect.any(String),
      action: 'PROFILE_CHANGED',
      network: expect.stringMatching(/\/(24|56)$/),
      user_agent: expect.anything(),
    },
  ]);
  expect(data.next_cursor).toBeNull();
});
