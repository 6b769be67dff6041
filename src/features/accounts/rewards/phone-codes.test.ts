import { expect, test } from 'vitest';
import { used } from '#test/budgets.ts';
import { harness } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';

const h = await harness({ config: { TRUST_PROXY: '1' } });

let serial = 0;
const newPhone = () => {
  serial += 1;
  return `+62814${String(serial).padStart(7, '0')}`;
};
const request = (phone_number: unknown, purpose: unknown = 'login', channel?: unknown) =>
  h.call('POST /xotp/request', {
    body: { phone_number, purpose, ...(channel === undefined ? {} : { channel }) },
  });
const verify = (phone_number: unknown, otp_code: unknown, purpose: unknown = 'login') =>
  h.call('POST /xotp/verify', { body: { phone_number, purpose, otp_code } });

const another = (code: string) => (code === '000000' ? '000001' : '000000');

const INVALID = { success: false, error: 'Invalid or expired OTP', code: 'INVALID_CODE' };

test('a code goes out by WhatsApp, or by SMS on request, and only there', async () => {
  const phone = newPhone();
  const [status, answer] = await request(phone);
  expect([status, answer]).toEqual([
    200,
    {
      success: true,
      message: 'OTP sent successfully',
      otp_id: expect.any(Number),
      expires_at: expect.any(String),
    },
  ]);
  const lifeMs = new Date(answer.expires_at).getTime() - h.clock.now().getTime();
  expect(lifeMs).toBeGreaterThan(280_000);
  expect(lifeMs).toBeLessThanOrEqual(300_000);
  await request(phone, 'login', 'sms');
  await request(phone, 'login', 'wa');
  await h.drain();
  const sent = (await h.messages(phone)).map(({ channel }) => channel);
  expect(sent.sort()).toEqual(['sms', 'whatsapp', 'whatsapp']);
});

test('a code is valid once, in every spelling of the number', async () => {
  const phone = newPhone();
  await request(phone.replace('+62', '0'));
  const code = await codeTo(h, phone);
  expect(await verify(phone, code)).toEqual([
    200,
    { success: true, message: 'OTP verified successfully', verified_at: expect.any(String) },
  ]);
  expect(await verify(phone, code)).toMatchObject([400, INVALID]);
});

test('of twenty concurrent uses of a code one succeeds, and all are answered', async () => {
  const phone = newPhone();
  await request(phone);
  const code = await codeTo(h, phone);
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(phone, code)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
});

test('a purpose is any text, which the message never repeats', async () => {
  const phone = newPhone();
  const purpose = 'see http://evil.example, please';
  expect((await request(phone, purpose))[0]).toBe(200);
  const code = await codeTo(h, phone);
  expect(JSON.stringify(await h.messages(phone))).not.toContain('evil');
  expect((await verify(phone, code, purpose))[0]).toBe(200);
});

test('a code is good only for its phone and its purpose', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  await request(phone, 'login');
  const code = await codeTo(h, phone);
  expect(await verify(phone, code, 'password_reset')).toMatchObject([400, INVALID]);
  expect(await verify(other, code)).toMatchObject([400, INVALID]);
  expect((await verify(phone, code))[0]).toBe(200);
});

test('a new code replaces the old one of the same purpose, and of no other', async () => {
  const phone = newPhone();
  const [, first] = await request(phone, 'login');
  const old = await codeTo(h, phone);
  await request(phone, 'verification');
  const verification = await codeTo(h, phone);
  const [, second] = await request(phone, 'login');
  const fresh = await codeTo(h, phone);
  expect(second.otp_id).toBeGreaterThan(first.otp_id);
  if (old !== fresh) expect(await verify(phone, old)).toMatchObject([400, INVALID]);
  expect((await verify(phone, fresh))[0]).toBe(200);
  expect((await verify(phone, verification, 'verification'))[0]).toBe(200);
});

test('after five wrong tries, concurrent or not, the right code is void', async () => {
  const phone = newPhone();
  await request(phone);
  const code = await codeTo(h, phone);
  const guesses = Array.from({ length: 5 }, () => verify(phone, another(code)));
  for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject([400, INVALID]);
  expect(await verify(phone, code)).toMatchObject([400, INVALID]);
});

test('a caller who guesses on with new codes is slowed down, and others are not', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  for (let n = 0; n < 2; n += 1) {
    await request(phone);
    const wrong = another(await codeTo(h, phone));
    for (let guess = 0; guess < 5; guess += 1) await verify(phone, wrong);
  }
  await request(phone);
  expect(await verify(phone, await codeTo(h, phone))).toMatchObject([
    429,
    { success: false, code: 'RATE_LIMITED' },
  ]);
  await request(other);
  expect((await verify(other, await codeTo(h, other)))[0]).toBe(200);
});

test('no phone is flooded with codes, whatever purposes they name', async () => {
  const phone = newPhone();
  for (let n = 0; n < 10; n += 1) expect((await request(phone, `purpose-${n}`))[0]).toBe(200);
  expect(await request(phone, 'purpose-11')).toMatchObject([
    429,
    { success: false, error: 'Too many codes requested, try again later', code: 'RATE_LIMITED' },
  ]);
});

test('one address has 300 codes sent in a quarter of an hour, to any receivers', async () => {
  const from = { 'x-forwarded-for': '198.51.100.7' };
  const ask = (phone_number: string, headers: Record<string, string>) =>
    h.call('POST /xotp/request', { headers, body: { phone_number, purpose: 'login' } });
  await used(h, 'code by network/15m 198.51.100.7', 299);
  expect((await ask(newPhone(), from))[0]).toBe(200);
  expect((await ask(newPhone(), from))[0]).toBe(429);
  expect((await ask(newPhone(), {}))[0]).toBe(200);
  await h.advance(901);
  expect((await ask(newPhone(), from))[0]).toBe(200);
});

test('many addresses together do not flood one phone either', async () => {
  const phone_number = newPhone();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      h.call('POST /xotp/request', {
        headers: { 'x-forwarded-for': `2001:db8:0:${n}::1` },
        body: { phone_number, purpose: 'login' },
      }),
    ),
  );
  expect(answers.filter(([status]) => status === 200)).toHaveLength(30);
});

test('guesses at many receivers’ codes from one address end, too', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.8' };
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    const phone_number = newPhone();
    await h.call('POST /xotp/request', { headers, body: { phone_number, purpose: 'login' } });
    const body = { phone_number, purpose: 'login', otp_code: 'wrong' };
    for (let guess = 0; guess < 5; guess += 1)
      statuses.push((await h.call('POST /xotp/verify', { headers, body }))[0]);
  }
  expect(statuses).toEqual([...Array(100).fill(400), ...Array(5).fill(429)]);
});

test.each([
  [{}],
  [{ phone_number: '+6281234567890' }],
  [{ purpose: 'login' }],
  [{ phone_number: 81234567890, purpose: 'login' }],
  [{ phone_number: '+6281234567890', purpose: '' }],
  [{ phone_number: '+6281234567890', purpose: ' ' }],
  [{ phone_number: '+6281234567890', purpose: 'x'.repeat(51) }],
])('no code is sent for %j', async (body) => {
  expect(await h.call('POST /xotp/request', { body })).toMatchObject([
    400,
    { success: false, error: 'Phone number and purpose are required', code: 'VALIDATION_ERROR' },
  ]);
});

test('no code is sent by an unknown channel', async () => {
  const body = { phone_number: '+6281234567890', purpose: 'login', channel: 'email' };
  expect(await h.call('POST /xotp/request', { body })).toMatchObject([
    400,
    { success: false, error: 'channel must be one of wa, sms', code: 'VALIDATION_ERROR' },
  ]);
});

test('an invalid phone number gets no code', async () => {
  expect(await request('call me')).toMatchObject([400, { error: 'Phone number is not valid' }]);
  expect(await verify('call me', '123456')).toMatchObject([
    400,
    { error: 'Phone number is not valid' },
  ]);
});

test.each([
  [{}],
  [{ phone_number: '+6281234567890', purpose: 'login' }],
  [{ phone_number: '+6281234567890', otp_code: '123456' }],
  [{ phone_number: '+6281234567890', purpose: 'login', otp_code: 123456 }],
])('%j verifies nothing', async (body) => {
  expect(await h.call('POST /xotp/verify', { body })).toMatchObject([
    400,
    { success: false, error: 'Phone number, purpose and OTP code are required' },
  ]);
});

test.each(['+88213000001', '00881612345678', '+979123456789'])(
  'no code is sent to a satellite or a premium number: %s',
  async (phone) => {
    expect(await request(phone)).toMatchObject([
      400,
      {
        success: false,
        error: expect.stringContaining('satellite and premium numbers are not served'),
        code: 'NUMBER_NOT_SERVED',
      },
    ]);
  },
);

// Last, because they move the clock of all tests.
test('a code is valid for five minutes, then expired, and later deleted', async () => {
  const [phone, quick] = [newPhone(), newPhone()];
  await request(quick);
  const inTime = await codeTo(h, quick);
  await request(phone);
  const code = await codeTo(h, phone);
  await h.advance(240);
  expect((await verify(quick, inTime))[0]).toBe(200);
  await h.advance(61);
  expect(await verify(phone, code)).toMatchObject([400, INVALID]);
  await h.advance(3600);
  await h.drain();
  const kept = await h.db.selectFrom('phone_codes').where('phone', '=', phone).execute();
  expect(kept).toEqual([]);
});
