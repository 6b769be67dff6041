import { expect, test } from 'vitest';
import { mobileLogIn, type TestDevice, testDevice } from '#test/devices.ts';
import { type Body, harness } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';

const h = await harness();
let serial = 0;
const entered = async (fields: Body = {}) => {
  serial += 1;
  const phone = `+12025552${String(serial).padStart(3, '0')}`;
  const user = await h.user({ phone, ...fields });
  const device = await testDevice(h);
  const { token, refresh_token } = await mobileLogIn(h, phone, device);
  return { user, phone, device, token, refresh_token };
};
const refresh = (device: TestDevice, refresh_token: string, options: Body = {}) =>
  device.call('/mobile/refresh', { refresh_token }, options);
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const isIn = async (token: string) => (await h.call('GET /sessions', { as: { token } }))[0] === 200;

test('a refresh token gives a new pair once, and the log-in goes on as one session', async () => {
  const { device, refresh_token, token } = await entered();
  await h.advance(20 * 60);
  expect(await isIn(token)).toBe(false);
  const [status, { data }] = await refresh(device, refresh_token);
  expect([status, await isIn(data.token)]).toEqual([200, true]);
  const [, { data: sessions }] = await h.call('GET /sessions', { as: data });
  expect(sessions.filter(({ method }: Body) => method === 'mobile')).toHaveLength(1);
  const second = await refresh(device, data.refresh_token);
  expect(second[0]).toBe(200);
});

test('a token used twice ends its device, and the owner is mailed', async () => {
  const { user, device, refresh_token } = await entered();
  const [, { data }] = await refresh(device, refresh_token);
  await h.advance(31);
  expect(codeOf(await refresh(device, refresh_token))).toEqual([401, 'REFRESH_REUSED']);
  expect(await isIn(data.token)).toBe(false);
  expect(codeOf(await refresh(device, data.refresh_token))).toEqual([401, 'REFRESH_INVALID']);
  expect((await mailTo(h, user.email, /logged out/)).text).toContain('used twice');
  const [, { data: devices }] = await h.call('GET /mobile/devices', { as: user });
  expect(devices.items).toEqual([]);
});

test('a lost answer is given anew for half a minute, and its token dies by that', async () => {
  const { device, refresh_token } = await entered();
  const [, { data: lost }] = await refresh(device, refresh_token);
  await h.advance(29);
  const [status, { data }] = await refresh(device, refresh_token);
  expect([status, data.refresh_token === lost.refresh_token]).toEqual([200, false]);
  const next = await refresh(device, data.refresh_token);
  expect(next[0]).toBe(200);
  expect(codeOf(await refresh(device, lost.refresh_token))).toEqual([401, 'REFRESH_REUSED']);
});

test('once its successor was used a token is reused at once', async () => {
  const { device, refresh_token } = await entered();
  const [, { data }] = await refresh(device, refresh_token);
  await refresh(device, data.refresh_token);
  expect(codeOf(await refresh(device, refresh_token))).toEqual([401, 'REFRESH_REUSED']);
});

test('of twenty at once one refresh token is left', async () => {
  const { device, refresh_token } = await entered();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => refresh(device, refresh_token)),
  );
  expect(answers.every(([status]) => status === 200)).toBe(true);
  const live = await h.db
    .selectFrom('refresh_tokens')
    .innerJoin('mobile_devices as d', 'd.device_id', 'refresh_tokens.device_id')
    .where('d.thumbprint', '=', device.thumbprint)
    .where('spent_at', 'is', null)
    .where('void_at', 'is', null)
    .select('digest')
    .execute();
  expect(live).toHaveLength(1);
});

test('a stolen refresh token is of no use without the key, and ends nothing', async () => {
  const { device, refresh_token } = await entered();
  const thief = await testDevice(h);
  expect(codeOf(await refresh(thief, refresh_token))).toEqual([401, 'DEVICE_PROOF_INVALID']);
  const bare = await h.call('POST /mobile/refresh', { body: { refresh_token } });
  expect(codeOf(bare)).toEqual([401, 'DEVICE_PROOF_INVALID']);
  expect((await refresh(device, refresh_token))[0]).toBe(200);
});

test('a proof counts once, for its method, address and minute', async () => {
  const { device, refresh_token } = await entered();
  const seconds = h.clock.seconds();
  const claims = [
    { htm: 'GET' },
    { htu: 'https://evil.example/api/mobile/refresh' },
    { htu: `${h.kernel.publicUrl()}/api/mobile/login` },
    { iat: seconds - 61 },
    { iat: seconds + 62 },
    { jti: '' },
  ];
  for (const wrong of claims) {
    const headers = { dpop: await device.proof('/mobile/refresh', wrong) };
    expect(codeOf(await refresh(device, refresh_token, { headers }))).toEqual([
      401,
      'DEVICE_PROOF_INVALID',
    ]);
  }
  const headers = { dpop: await device.proof('/mobile/refresh') };
  const [, { data }] = await refresh(device, refresh_token, { headers });
  expect(codeOf(await refresh(device, data.refresh_token, { headers }))).toEqual([
    401,
    'DEVICE_PROOF_INVALID',
  ]);
  expect((await refresh(device, data.refresh_token))[0]).toBe(200);
});

test('the answer of a refresh is kept for no repetition', async () => {
  const { device, refresh_token } = await entered();
  const headers = { 'idempotency-key': '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11' };
  expect((await refresh(device, refresh_token, { headers }))[0]).toBe(200);
  expect(codeOf(await refresh(device, refresh_token, { headers }))).toEqual([
    409,
    'IDEMPOTENCY_ANSWER_NOT_KEPT',
  ]);
});

test('a log-out ends token and refresh token, and may be repeated', async () => {
  const { device, refresh_token, token } = await entered();
  const as = { token };
  for (let n = 0; n < 2; n += 1) expect((await h.call('POST /mobile/logout', { as }))[0]).toBe(200);
  expect(await isIn(token)).toBe(false);
  expect(codeOf(await refresh(device, refresh_token))).toEqual([401, 'REFRESH_INVALID']);
});

test('a changed phone and a stopped account end all devices for good', async () => {
  const [moved, stopped] = [await entered(), await entered()];
  const set = (one: typeof moved, values: Body) =>
    h.db.updateTable('users').set(values).where('user_id', '=', one.user.user_id).execute();
  await set(moved, { phone: '+12025552999' });
  await set(stopped, { user_status: 'INACTIVE' });
  await set(stopped, { user_status: 'ACTIVE' });
  for (const { device, refresh_token, token } of [moved, stopped]) {
    expect(codeOf(await refresh(device, refresh_token))).toEqual([401, 'REFRESH_INVALID']);
    await expect.poll(() => isIn(token)).toBe(false);
  }
  await h.advance(60);
  await h.drain();
  const left = await h.db
    .selectFrom('mobile_devices')
    .where('user_id', 'in', [moved.user.user_id, stopped.user.user_id])
    .where('removed_at', 'is', null)
    .select('device_id')
    .execute();
  expect(left).toEqual([]);
});

test('a password reset ends all devices, and names those that were added', async () => {
  const { user, device, refresh_token } = await entered();
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const mail = await mailTo(h, user.email, /Reset/);
  expect(mail.text).toContain('device Ada’s phone (ios)');
  const body = { token: linkIn(mail).token, new_password: 'a new password', undo: true };
  expect((await h.call('POST /password/reset', { body }))[1].message).toContain('removed');
  expect(codeOf(await refresh(device, refresh_token))).toEqual([401, 'REFRESH_INVALID']);
});

test('no one lists, renames or ends a device of another user', async () => {
  const [mine, theirs] = [await entered(), await entered({ role: 'admin' })];
  const [, { data }] = await h.call('GET /mobile/devices', { as: mine });
  const params = { device_id: data.items[0].device_id };
  const calls = [
    () => h.call('PATCH /mobile/devices/{device_id}', { as: theirs, params, body: { name: 'x' } }),
    () => h.call('DELETE /mobile/devices/{device_id}', { as: theirs, params }),
  ];
  for (const call of calls) expect(codeOf(await call())).toEqual([404, 'NOT_FOUND']);
  const body = { name: 'Ada’s other phone', push_token: 'push-1' };
  const renamed = await h.call('PATCH /mobile/devices/{device_id}', { as: mine, params, body });
  expect(renamed[1].data).toMatchObject({ name: 'Ada’s other phone', is_current: true });
  expect((await h.call('DELETE /mobile/devices/{device_id}', { as: theirs, params }))[0]).toBe(404);
});

test('the same device logs in again in its own place, with another key as a new one', async () => {
  const { user, phone, device, refresh_token } = await entered();
  await h.advance(31);
  const again = await mobileLogIn(h, phone, device);
  expect(codeOf(await refresh(device, refresh_token))).toEqual([401, 'REFRESH_INVALID']);
  await h.advance(31);
  const other = await testDevice(h);
  const changed = { ...other, description: { ...other.description, id: device.description.id } };
  await mobileLogIn(h, phone, changed);
  expect(codeOf(await refresh(device, again.refresh_token))).toEqual([401, 'REFRESH_INVALID']);
  const [, { data }] = await h.call('GET /mobile/devices', { as: user });
  expect(data.items).toHaveLength(1);
});
