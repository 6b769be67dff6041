import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { mobileCode, mobileLogIn, testDevice } from '#test/devices.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { codeTo, countMails, mailTo } from '#test/mails.ts';
import { protectedUser, codeOf as totpOf } from '#test/two-factor.ts';

const h = await harness();
let serial = 0;
const person = async (fields: Body = {}): Promise<Person & { phone: string }> => {
  serial += 1;
  const phone = `+12025551${String(serial).padStart(3, '0')}`;
  return { ...(await h.user({ phone, ...fields })), phone: fields.phone ?? phone };
};
const request = (phone: string, more: Body = {}) =>
  h.call('POST /mobile/login/request', { body: { phone, channel: 'sms' }, ...more });
const codeOf = ([status, { error }]: [number, Body]) => [status, error.code];

test('a device logs in by a code, and its token works for a quarter of an hour', async () => {
  const user = await person();
  const device = await testDevice(h);
  const data = await mobileLogIn(h, user.phone, device);
  expect(data).toMatchObject({
    user: { user_id: user.user_id, email: user.email },
    device: { device_id: expect.stringMatching(/^dev_/), name: 'Ada’s phone', is_current: true },
  });
  const { token } = data;
  const [, { data: sessions }] = await h.call('GET /sessions', { as: { token } });
  expect(sessions[0]).toMatchObject({ method: 'mobile', current: true });
  const [, { data: devices }] = await h.call('GET /mobile/devices', { as: { token } });
  expect(devices).toMatchObject({ items: [data.device], next_cursor: null });
  await h.advance(15 * 60 + 1);
  expect((await h.call('GET /sessions', { as: { token } }))[1].code).toBe('TOKEN_EXPIRED');
  expect((await mailTo(h, user.email, /new device/)).text).toContain('Ada’s phone (ios)');
});

test('the text of an SMS binds the code to our address', async () => {
  const user = await person();
  const { otp_code } = await mobileCode(h, user.phone);
  const sent: Body[] = await h.messages(user.phone);
  const { text } = sent.find((one) => one.text.includes(otp_code));
  expect(text).toMatch(new RegExp(`^Code: ${otp_code}$`, 'm'));
  expect(text.split('\n').at(-1)).toBe(`@localhost #${otp_code}`);
});

test('an unknown phone is answered alike, and gets nothing', async () => {
  const user = await person();
  const [known, unknown] = [await request(user.phone), await request('+12025559999')];
  expect(known[0]).toBe(200);
  expect(Object.keys(unknown[1].data)).toEqual(Object.keys(known[1].data));
  expect(await codeTo(h, '+12025559999')).toBe('none');
  const device = await testDevice(h);
  const sent = { otp_id: unknown[1].data.otp_id, device: device.description };
  for (const otp_code of ['000000', '111111', '222222', '333333', '444444'])
    expect(codeOf(await device.call('/mobile/login', { ...sent, otp_code }))).toEqual([
      400,
      'INVALID_CODE',
    ]);
  const last = await device.call('/mobile/login', { ...sent, otp_code: '000000' });
  expect(codeOf(last)).toEqual([400, 'CODE_EXPIRED']);
});

test('another code within half a minute is refused for anybody', async () => {
  const user = await person();
  for (const phone of [user.phone, '+12025559998']) {
    expect((await request(phone))[0]).toBe(200);
    const again = await h.send('POST /mobile/login/request', { body: { phone, channel: 'sms' } });
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(30);
    await h.advance(31);
    expect((await request(phone))[0]).toBe(200);
  }
});

test('a code counts once, for its key, within five minutes and five tries', async () => {
  const user = await person();
  const device = await testDevice(h);
  const { description } = device;
  const first = await mobileCode(h, user.phone);
  const other = await h.apiKey();
  const elsewhere = { ...first, device: description };
  expect(codeOf(await device.call('/mobile/login', elsewhere, { key: other }))).toEqual([
    400,
    'INVALID_CODE',
  ]);
  expect((await device.call('/mobile/login', elsewhere))[0]).toBe(200);
  expect((await device.call('/mobile/login', elsewhere))[0]).toBe(400);
  await h.advance(31);
  const guessed = await mobileCode(h, user.phone);
  const wrong = { ...guessed, otp_code: guessed.otp_code === '000000' ? '1' : '000000' };
  for (let n = 0; n < 5; n += 1)
    expect((await device.call('/mobile/login', { ...wrong, device: description }))[0]).toBe(400);
  const right = await device.call('/mobile/login', { ...guessed, device: description });
  expect(codeOf(right)).toEqual([400, 'CODE_EXPIRED']);
  await h.advance(31);
  const late = await mobileCode(h, user.phone);
  await h.advance(301);
  expect(codeOf(await device.call('/mobile/login', { ...late, device: description }))).toEqual([
    400,
    'CODE_EXPIRED',
  ]);
});

test('with a second factor enabled the code of the phone is only the first step', async () => {
  const user = await protectedUser(h);
  const phone = '+12025557001';
  const { user_id } = user;
  await h.db.updateTable('users').set({ phone }).where('user_id', '=', user_id).execute();
  const device = await testDevice(h);
  const waiting = await mobileLogIn(h, phone, device);
  expect(waiting).toEqual({
    two_factor_required: true,
    login_id: expect.any(String),
    expires_at: expect.any(String),
  });
  const { login_id } = waiting;
  const complete = (body: Body, options = {}) =>
    device.call('/mobile/login/complete', body, options);
  const none = { login_id: randomUUID(), two_fa_token: '000000' };
  expect(codeOf(await complete(none))).toEqual([400, 'INVALID_CODE']);
  const thief = await testDevice(h);
  const two_fa_token = totpOf(h, user.secret);
  const stolen = await thief.call('/mobile/login/complete', { login_id, two_fa_token });
  expect(codeOf(stolen)).toEqual([401, 'DEVICE_PROOF_INVALID']);
  const [status, { data }] = await complete({ login_id, two_fa_token });
  expect([status, data.user.user_id]).toEqual([200, user.user_id]);
  expect((await complete({ login_id, two_fa_token }))[0]).toBe(400);
});

test('a phone of two people, of a stopped user or of another client logs no one in', async () => {
  const { client_id } = await h.client();
  const admin = await h.user({ role: 'admin', client_id });
  const key = await h.apiKey({ client_id, user_id: admin.user_id });
  const outside = await person();
  const twins = await person({ client_id });
  await person({ client_id, phone: twins.phone });
  const stopped = await person({ client_id });
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', stopped.user_id)
    .execute();
  for (const { phone } of [outside, twins, stopped]) {
    expect((await request(phone, { key }))[0]).toBe(200);
    expect(await codeTo(h, phone)).toBe('none');
  }
  expect(await countMails(h, outside.phone)).toBe(0);
});

test('an eleventh device is refused, and the code is not used up by that', async () => {
  const user = await person();
  const devices: Body[] = [];
  for (let n = 0; n < 10; n += 1) {
    devices.push(await mobileLogIn(h, user.phone, await testDevice(h, `Phone ${n}`)));
    await h.advance(120);
  }
  const last = await testDevice(h, 'Phone 11');
  const code = { ...(await mobileCode(h, user.phone)), device: last.description };
  const refused = await last.call('/mobile/login', code);
  expect(codeOf(refused)).toEqual([409, 'DEVICE_LIMIT_REACHED']);
  expect(refused[1].error.details.devices).toHaveLength(10);
  const { device_id } = refused[1].error.details.devices[9];
  const as = devices[9];
  expect(
    (await h.call('DELETE /mobile/devices/{device_id}', { as, params: { device_id } }))[0],
  ).toBe(200);
  expect((await last.call('/mobile/login', code))[0]).toBe(200);
});

test('auto is WhatsApp, and an SMS with another code where WhatsApp refuses it', async () => {
  // The sandbox’s number that has no WhatsApp, as its webhook says.
  const [fine, refused] = [await person(), await person({ phone: '+15005550002' })];
  const ask = (phone: string) => h.call('POST /mobile/login/request', { body: { phone } });
  await ask(fine.phone);
  await codeTo(h, fine.phone);
  const channels = async (phone: string) =>
    (await h.messages(phone)).map(({ channel }: Body) => channel);
  expect(await channels(fine.phone)).toEqual(['whatsapp']);

  const [, { data }] = await ask(refused.phone);
  await h.drain();
  // The report of the refusal comes by a call of its own, and is read by a job.
  const stateOf = async () => {
    await h.drain();
    const rows = await h.db
      .selectFrom('messages')
      .select('status')
      .where('recipient', '=', refused.phone)
      .execute();
    return rows.map(({ status }) => status);
  };
  await expect.poll(stateOf).toEqual(['failed']);
  await h.advance(6);
  const otp_code = await codeTo(h, refused.phone);
  expect((await channels(refused.phone))[0]).toBe('sms');
  const device = await testDevice(h);
  const sent = { otp_id: data.otp_id, otp_code, device: device.description };
  expect((await device.call('/mobile/login', sent))[0]).toBe(200);
});
