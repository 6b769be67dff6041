import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ config: { TRUST_PROXY: '1', PROFILE_OTP: 'required' } });
const otherKey = await h.apiKey();

interface From {
  readonly ip: string;
  readonly key?: string;
}
const HOME: From = { ip: '203.0.113.1' };
const STRANGERS: readonly From[] = [{ ip: '198.51.100.1' }, { ...HOME, key: otherKey }];
const from = ({ ip, key = h.key }: From) => ({ key, headers: { 'x-forwarded-for': ip } });

const request = async ({ user_id }: Person, by: From): Promise<string> => {
  const [status, { otp }] = await h.call('POST /users/request-otp', {
    ...from(by),
    body: { user_id },
  });
  expect(status).toBe(200);
  return otp;
};
const rename = async (as: Person, otp_code: string, by: From) => {
  const body = { username: 'Renamed', current_password: as.password, otp_code };
  const params = { user_id: as.user_id };
  const options = { ...from(by), as, params, body };
  return (await h.call('PUT /users/update_profile/{user_id}', options))[0];
};

test('a profile code works where it was requested, and no caller elsewhere ends it', async () => {
  const as = await h.user();
  const code = await request(as, HOME);
  const wrong = code === '000000' ? '000001' : '000000';
  for (const by of STRANGERS) {
    for (let n = 0; n < 3; n += 1) expect(await rename(as, wrong, by)).toBe(400);
    expect(await rename(as, code, by)).toBe(400);
    await request(as, by);
  }
  expect(await rename(as, code, HOME)).toBe(200);
  expect(await rename(as, code, HOME)).toBe(400);
});

test('five wrong ones end it where it was requested', async () => {
  const as = await h.user();
  const code = await request(as, HOME);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let n = 0; n < 5; n += 1) expect(await rename(as, wrong, HOME)).toBe(400);
  expect(await rename(as, code, HOME)).toBe(400);
  expect(await rename(as, await request(as, HOME), HOME)).toBe(200);
});
