import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';

const h = await harness({ config: { REWARDS_LOGIN_CODE: 'required', TRUST_PROXY: '1' } });

let serial = 0;
const newPhone = () => {
  serial += 1;
  return `+62817${String(serial).padStart(7, '0')}`;
};
interface From {
  readonly key?: string;
  readonly headers?: Record<string, string>;
}
const logIn = (phone: string, from: From = {}) =>
  h.call('POST /xusers/login', { ...from, body: { phone } });

async function prove(phone_number: string, purpose = 'login', from: From = {}) {
  await h.call('POST /xotp/request', { ...from, body: { phone_number, purpose } });
  const otp_code = await codeTo(h, phone_number);
  const body = { phone_number, purpose, otp_code };
  expect((await h.call('POST /xotp/verify', { ...from, body }))[0]).toBe(200);
}

const REFUSED = [
  401,
  { error: 'Verify the phone number with a one-time code first', code: 'AUTHENTICATION_FAILED' },
];

test('where required, a log-in needs a proven number', async () => {
  const phone = newPhone();
  expect(await logIn(phone)).toMatchObject(REFUSED);
  await prove(phone, 'verification');
  expect(await logIn(phone)).toMatchObject(REFUSED);
  await prove(phone);
  expect(await logIn(newPhone())).toMatchObject(REFUSED);
  const [status, { token }] = await logIn(phone);
  expect([status, typeof token]).toEqual([200, 'string']);
  expect(await logIn(phone)).toMatchObject(REFUSED);
});

test('no caller’s purpose makes a proof: a sent code has proven nothing', async () => {
  const purposes = ['log-in proven', 'login', 'proven', 'log-in', ' login'];
  for (const purpose of purposes) {
    const phone_number = newPhone();
    const [status] = await h.call('POST /xotp/request', { body: { phone_number, purpose } });
    expect(status).toBe(200);
    expect(await logIn(phone_number)).toMatchObject(REFUSED);
  }
});

test('a proof is valid for its own key and address, for a short time', async () => {
  const phone = newPhone();
  await prove(phone);
  expect(await logIn(phone, { key: await h.apiKey() })).toMatchObject(REFUSED);
  const headers = { 'x-forwarded-for': '198.51.100.20' };
  expect(await logIn(phone, { headers })).toMatchObject(REFUSED);
  await h.advance(601);
  expect(await logIn(phone)).toMatchObject(REFUSED);
  await prove(phone);
  expect((await logIn(phone))[0]).toBe(200);
});

test('of twenty concurrent log-ins with one proof one succeeds', async () => {
  const phone = newPhone();
  await prove(phone);
  const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(phone)));
  const statuses = answers.map(([status]) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(401)]);
});
