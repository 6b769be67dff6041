import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';

/** A code belongs to its requester: a caller elsewhere, or with another key, neither ends nor uses it. */
const h = await harness({ config: { TRUST_PROXY: '1', REWARDS_LOGIN_CODE: 'required' } });
const otherKey = await h.apiKey();

interface From {
  readonly ip?: string;
  readonly key?: string;
  readonly as?: { readonly token: string };
}
const HOME: From = { ip: '203.0.113.1' };
const STRANGERS: readonly From[] = [
  ...Array.from({ length: 4 }, (_, n) => ({ ip: `198.51.100.${n}` })),
  { ...HOME, key: otherKey },
];
const from = ({ ip = '', ...rest }: From) => ({ ...rest, headers: { 'x-forwarded-for': ip } });

let serial = 0;
const newPhone = () => {
  serial += 1;
  return `+62819${String(serial).padStart(7, '0')}`;
};
const another = (code: string) => (code === '000000' ? '000001' : '000000');

const request = (phone_number: string, by: From) =>
  h.call('POST /xotp/request', { ...from(by), body: { phone_number, purpose: 'login' } });
const verify = async (phone_number: string, otp_code: string, by: From) => {
  const body = { phone_number, purpose: 'login', otp_code };
  return (await h.call('POST /xotp/verify', { ...from(by), body }))[0];
};

test('strangers’ guesses do not end the code of a phone', async () => {
  const phone = newPhone();
  await request(phone, HOME);
  const code = await codeTo(h, phone);
  const guesses = STRANGERS.flatMap((by) =>
    Array.from({ length: 10 }, () => verify(phone, another(code), by)),
  );
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([400]));
  expect(await verify(phone, code, HOME)).toBe(200);
});

test('strangers’ codes do not replace it, and each works where it was requested', async () => {
  const phone = newPhone();
  await request(phone, HOME);
  const code = await codeTo(h, phone);
  const [stranger = HOME, ...others] = STRANGERS;
  for (const by of others) await request(phone, by);
  // Delivered before the next request, so that the newest is that one's.
  await h.drain();
  await request(phone, stranger);
  const theirs = await codeTo(h, phone);
  for (const by of STRANGERS) expect(await verify(phone, code, by)).toBe(400);
  if (theirs !== code) expect(await verify(phone, theirs, HOME)).toBe(400);
  expect(await verify(phone, code, HOME)).toBe(200);
  expect(await verify(phone, theirs, stranger)).toBe(200);
  const logIn = async (by: From) =>
    (await h.call('POST /xusers/login', { ...from(by), body: { phone } }))[0];
  // Both have proven that they hold the phone, and neither proof has replaced the other.
  for (const by of [HOME, stranger]) expect(await logIn(by)).toBe(200);
  expect(await logIn(HOME)).toBe(401);
});

async function member(): Promise<{ readonly token: string }> {
  const phone = newPhone();
  await request(phone, HOME);
  expect(await verify(phone, await codeTo(h, phone), HOME)).toBe(200);
  const [, { token }] = await h.call('POST /xusers/login', { ...from(HOME), body: { phone } });
  return { token };
}

test('no stranger ends an e-mail code, not even with the token', async () => {
  const as = await member();
  const ask = (email: string, by: From) =>
    h.call('POST /xmail/verify-email', { ...from({ ...by, as }), body: { email } });
  const confirm = async (otp_code: string, by: From) =>
    (await h.call('POST /xmail/confirm-email', { ...from({ ...by, as }), body: { otp_code } }))[0];
  await ask('mine@example.test', HOME);
  const code = await codeTo(h, 'mine@example.test');
  for (const by of STRANGERS) {
    for (let n = 0; n < 6; n += 1) expect(await confirm(another(code), by)).toBe(400);
    expect(await confirm(code, by)).toBe(400);
  }
  await ask('theirs@example.test', STRANGERS[0] ?? {});
  expect(await confirm(code, HOME)).toBe(200);
  const [, { profile }] = await h.call('GET /xprofiles/getme', { ...from({ ...HOME, as }) });
  expect(profile.emailx).toBe('mine@example.test');
  // A code requested elsewhere meanwhile is void.
  const theirs = await codeTo(h, 'theirs@example.test');
  expect(await confirm(theirs, STRANGERS[0] ?? {})).toBe(400);
});
