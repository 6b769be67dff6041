import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';

const h = await harness();

interface Member {
  readonly token: string;
  readonly userx_id: number;
  readonly phonex: string;
}
let serial = 0;
async function member(): Promise<Member> {
  serial += 1;
  const phone = `+62813${String(serial).padStart(7, '0')}`;
  const [, { token, user }] = await h.call('POST /xusers/login', { body: { phone } });
  return { token, ...user };
}
const verify = (as: Member, email: unknown) =>
  h.call('POST /xmail/verify-email', { as, body: { email } });
const confirm = (as: Member, otp_code: unknown) =>
  h.call('POST /xmail/confirm-email', { as, body: { otp_code } });
const profile = async (as: Member) => (await h.call('GET /xprofiles/getme', { as }))[1].profile;

const another = (code: string) => (code === '000000' ? '000001' : '000000');

const INVALID = { success: false, error: 'Invalid verification code', code: 'INVALID_CODE' };

test('a mailed code proves an address, which is rewarded', async () => {
  const as = await member();
  expect(await verify(as, 'Ada@example.test')).toEqual([
    200,
    { success: true, message: 'Verification code sent to your email' },
  ]);
  expect(await profile(as)).toMatchObject({ emailx: null, verify_email: false });
  const code = await codeTo(h, 'ada@example.test');
  expect(await confirm(as, code)).toEqual([
    200,
    {
      success: true,
      message: 'Email verified successfully',
      points_awarded: 50,
      already_rewarded: false,
    },
  ]);
  expect(await profile(as)).toMatchObject({
    emailx: 'Ada@example.test',
    verify_email: true,
    point_balance: 100,
  });
  const [, { notifications }] = await h.call('GET /xusers/notifications', { as });
  expect(notifications[0].message).toBe('You verified your email address.');
  expect(await confirm(as, code)).toMatchObject([400, INVALID]);
  expect(await verify(as, 'ADA@example.test')).toMatchObject([
    409,
    { success: false, error: 'Email is already verified' },
  ]);
});

test('an address can be changed later, for no more points', async () => {
  const as = await member();
  await verify(as, 'first@example.test');
  await confirm(as, await codeTo(h, 'first@example.test'));
  await verify(as, 'second@example.test');
  expect(await confirm(as, await codeTo(h, 'second@example.test'))).toMatchObject([
    200,
    { points_awarded: 0, already_rewarded: true },
  ]);
  expect(await profile(as)).toMatchObject({ emailx: 'second@example.test', point_balance: 100 });
});

test('a proven address is taken for all other members', async () => {
  const [owner, early, late] = [await member(), await member(), await member()];
  await verify(early, 'shared@example.test');
  const earlyCode = await codeTo(h, 'shared@example.test');
  await verify(owner, 'shared@example.test');
  await confirm(owner, await codeTo(h, 'shared@example.test'));
  const refused = {
    success: false,
    error: 'Email is already used by another verified user',
    code: 'EMAIL_IN_USE',
  };
  expect(await verify(late, 'Shared@Example.test')).toMatchObject([409, refused]);
  expect(await confirm(early, earlyCode)).toMatchObject([409, refused]);
  expect(await profile(early)).toMatchObject({ emailx: null, point_balance: 50 });
});

test('a code counts once, also in twenty concurrent requests', async () => {
  const as = await member();
  await verify(as, 'once@example.test');
  const code = await codeTo(h, 'once@example.test');
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(as, code)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
  expect((await profile(as)).point_balance).toBe(100);
});

test('after five wrong tries the right code is void', async () => {
  const as = await member();
  await verify(as, 'guessed@example.test');
  const code = await codeTo(h, 'guessed@example.test');
  const guesses = Array.from({ length: 5 }, () => confirm(as, another(code)));
  for (const answer of await Promise.all(guesses)) expect(answer).toMatchObject([400, INVALID]);
  expect(await confirm(as, code)).toMatchObject([400, INVALID]);
  await verify(as, 'guessed@example.test');
  expect((await confirm(as, await codeTo(h, 'guessed@example.test')))[0]).toBe(200);
});

test('a new code replaces the old one, and a code works for its receiver alone', async () => {
  const [as, other] = [await member(), await member()];
  await verify(as, 'old@example.test');
  const old = await codeTo(h, 'old@example.test');
  await verify(as, 'new@example.test');
  const fresh = await codeTo(h, 'new@example.test');
  if (old !== fresh) expect(await confirm(as, old)).toMatchObject([400, INVALID]);
  expect(await confirm(other, fresh)).toMatchObject([400, INVALID]);
  await confirm(as, fresh);
  expect((await profile(as)).emailx).toBe('new@example.test');
});

test('endless requests for codes are slowed down, with the time to wait', async () => {
  const as = await member();
  for (let n = 0; n < 10; n += 1) expect((await verify(as, `n${n}@example.test`))[0]).toBe(200);
  const body = { email: 'n11@example.test' };
  const { status, headers, body: told } = await h.send('POST /xmail/verify-email', { as, body });
  expect([status, told.code]).toEqual([429, 'RATE_LIMITED']);
  expect(told.error).toBe('Too many codes requested, try again later');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

test('no table and no log has text from which a code could be read', async () => {
  const as = await member();
  await verify(as, 'secret@example.test');
  const code = await codeTo(h, 'secret@example.test');
  const row = await h.db
    .selectFrom('userx_email_codes')
    .where('userx_id', '=', as.userx_id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(row.fingerprint.toString('utf8')).not.toContain(code);
  expect(h.logs.join('\n')).not.toContain(`Code: ${code}`);
});

test.each([[{}], [{ email: '' }], [{ email: 'nobody' }], [{ email: 7 }], [{ email: null }]])(
  'no code is mailed to %j',
  async (body) => {
    const as = await member();
    expect(await h.call('POST /xmail/verify-email', { as, body })).toMatchObject([
      400,
      { success: false, error: 'A valid email is required', details: [{ field: 'email' }] },
    ]);
  },
);

test.each([[{}], [{ otp_code: '' }], [{ otp_code: 123456 }], [{ otp_code: null }]])(
  '%j confirms nothing',
  async (body) => {
    const as = await member();
    expect(await h.call('POST /xmail/confirm-email', { as, body })).toMatchObject([
      400,
      { success: false, error: 'OTP code is required' },
    ]);
  },
);

// Last, because it moves the clock of all tests.
test('a code is valid for ten minutes, and then expired', async () => {
  const [as, quick] = [await member(), await member()];
  await verify(quick, 'quick@example.test');
  const inTime = await codeTo(h, 'quick@example.test');
  await verify(as, 'slow@example.test');
  const code = await codeTo(h, 'slow@example.test');
  await h.advance(540);
  expect((await confirm(quick, inTime))[0]).toBe(200);
  await h.advance(61);
  expect(await confirm(as, code)).toMatchObject([
    400,
    { success: false, error: 'Verification code has expired', code: 'CODE_EXPIRED' },
  ]);
  expect((await profile(as)).emailx).toBeNull();
});
