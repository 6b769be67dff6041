import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';
import { codeOf, complete, logIn, protectedUser, verify, wrongCodeOf } from '#test/two-factor.ts';

const h = await harness();
const INVALID = { success: false, error: 'Invalid verification code', code: 'INVALID_CODE' };
const statusesOf = (answers: [number, unknown][]) => answers.map(([status]) => status).sort();

test('log-in, check of the code, completion: only then is there a token', async () => {
  const user = await protectedUser(h);
  expect(await logIn(h, user)).toEqual([
    200,
    {
      success: true,
      requires_2fa: true,
      message: expect.any(String),
      data: { user_id: user.user_id, email: user.email },
    },
  ]);
  const code = codeOf(h, user.secret);
  for (let again = 0; again < 3; again += 1)
    expect(await verify(h, user, code)).toEqual([
      200,
      { success: true, message: expect.any(String) },
    ]);
  const [status, body] = await complete(h, user, code);
  expect([status, body]).toMatchObject([
    200,
    {
      success: true,
      requires_2fa: false,
      data: {
        token: expect.any(String),
        user: { user_id: user.user_id, email: user.email },
        client: { client_id: user.client_id },
      },
    },
  ]);
  const [, { data }] = await h.call('GET /sessions', { as: body.data });
  expect(data[0]).toMatchObject({ current: true, method: 'totp' });
  const [, told] = await h.call('GET /2fa/status', { as: user });
  expect(told.data.last_used_at).toMatch(/Z$/);
});

test('completion works without the check before it', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(200);
});

test('a code alone is no log-in, and its answer does not show whether it is right', async () => {
  const user = await protectedUser(h);
  const [right, wrong] = [codeOf(h, user.secret), wrongCodeOf(h, user.secret)];
  for (const code of [right, wrong]) {
    expect(await verify(h, user, code)).toMatchObject([400, INVALID]);
    expect(await complete(h, user, code)).toMatchObject([401, INVALID]);
  }
});

test('the log-in is finished with the API key that began it', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  const code = codeOf(h, user.secret);
  const other = await h.apiKey();
  expect((await verify(h, user, code, { key: other }))[0]).toBe(400);
  expect((await complete(h, user, code, { key: other }))[0]).toBe(401);
  expect((await complete(h, user, code))[0]).toBe(200);
});

test('a proven password waits ten minutes for its code', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  await h.advance(570);
  expect((await verify(h, user, codeOf(h, user.secret)))[0]).toBe(200);
  await h.advance(31);
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(401);
});

test('a code used for one log-in is refused for a second', async () => {
  const user = await protectedUser(h);
  const code = codeOf(h, user.secret);
  await logIn(h, user);
  expect((await complete(h, user, code))[0]).toBe(200);
  await logIn(h, user);
  expect(await verify(h, user, code)).toMatchObject([400, INVALID]);
  expect(await complete(h, user, code)).toMatchObject([401, INVALID]);
  expect((await complete(h, user, codeOf(h, user.secret, -1)))[0]).toBe(401);
  expect((await complete(h, user, codeOf(h, user.secret, 1)))[0]).toBe(200);
});

test('a code checked for one log-in does not finish another', async () => {
  const user = await protectedUser(h);
  const other = await h.apiKey();
  for (const code of [codeOf(h, user.secret), user.backupCodes[0] ?? '']) {
    await logIn(h, user);
    await logIn(h, user, { key: other });
    expect((await verify(h, user, code))[0]).toBe(200);
    expect((await verify(h, user, code, { key: other }))[0]).toBe(400);
    expect((await complete(h, user, code, { key: other }))[0]).toBe(401);
    expect((await complete(h, user, code))[0]).toBe(200);
  }
});

test('a concurrent log-in does not take a checked code away', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  const code = codeOf(h, user.secret);
  expect((await verify(h, user, code))[0]).toBe(200);
  await logIn(h, user);
  expect((await complete(h, user, code))[0]).toBe(200);
  expect((await complete(h, user, code))[0]).toBe(401);
});

test('one code and 20 concurrent completions make one token', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  const code = codeOf(h, user.secret);
  const answers = await Promise.all(Array.from({ length: 20 }, () => complete(h, user, code)));
  expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(401)]);
  const [, { data }] = await h.call('GET /sessions', { as: user });
  expect(data).toHaveLength(2);
});

test('one code and 20 concurrent log-ins make one token', async () => {
  const user = await protectedUser(h);
  await Promise.all(Array.from({ length: 20 }, () => logIn(h, user)));
  const code = codeOf(h, user.secret);
  const answers = await Promise.all(Array.from({ length: 20 }, () => complete(h, user, code)));
  expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(401)]);
});

test('each backup code works once, also under 20 parallel tries', async () => {
  const user = await protectedUser(h);
  for (const code of user.backupCodes) {
    await Promise.all(Array.from({ length: 3 }, () => logIn(h, user)));
    const sent = code.toLowerCase();
    const answers = await Promise.all(Array.from({ length: 20 }, () => complete(h, user, sent)));
    expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(401)]);
  }
  const [, { data }] = await h.call('GET /2fa/status', { as: user });
  expect(data.backup_codes_count).toBe(0);
});

test('checking a backup code does not use it up', async () => {
  const user = await protectedUser(h);
  const [code = ''] = user.backupCodes;
  await logIn(h, user);
  expect((await verify(h, user, code))[0]).toBe(200);
  const [, { data }] = await h.call('GET /2fa/status', { as: user });
  expect(data.backup_codes_count).toBe(8);
  await h.advance(601);
  await logIn(h, user);
  expect((await complete(h, user, code))[0]).toBe(200);
});

test('guesses at codes are slowed down, and more log-ins do not help', async () => {
  const user = await protectedUser(h);
  const wrong = wrongCodeOf(h, user.secret);
  await logIn(h, user);
  const answers = await Promise.all(Array.from({ length: 20 }, () => complete(h, user, wrong)));
  expect(statusesOf(answers)).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  const code = codeOf(h, user.secret);
  expect((await verify(h, user, code))[0]).toBe(429);
  const refused = await h.send('POST /auth/complete-login', {
    body: { user_id: user.user_id, two_fa_token: code },
  });
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await logIn(h, user))[0]).toBe(429);
  await h.advance(901);
  await logIn(h, user);
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(200);
});

test('a repeated proof of the password does not forgive wrong codes', async () => {
  const user = await protectedUser(h);
  const wrong = wrongCodeOf(h, user.secret);
  for (let n = 0; n < 10; n += 1) {
    await logIn(h, user);
    expect((await complete(h, user, wrong))[0]).toBe(401);
  }
  expect((await logIn(h, user))[0]).toBe(429);
});

test('completion answers missing fields by the contract', async () => {
  const user = await h.user();
  const [user_id, two_fa_token] = [user.user_id, '123456'];
  const bodies = [
    {},
    { user_id },
    { two_fa_token },
    { user_id, two_fa_token: '' },
    { user_id, two_fa_token: 123456 },
    { user_id: 'x', two_fa_token },
    { user_id: -1, two_fa_token },
    { user_id: null, two_fa_token },
  ];
  for (const body of bodies)
    expect(await h.call('POST /auth/complete-login', { body })).toMatchObject([
      400,
      { success: false, error: 'User ID and 2FA token are required' },
    ]);
  expect(await complete(h, { ...user, user_id: 2_000_000_000 }, two_fa_token)).toMatchObject([
    404,
    { success: false, error: 'User not found' },
  ]);
  expect(await complete(h, user, two_fa_token)).toMatchObject([
    400,
    { success: false, code: 'TWO_FACTOR_NOT_ENABLED' },
  ]);
  const gone = await protectedUser(h);
  await logIn(h, gone);
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', gone.user_id)
    .execute();
  expect(await complete(h, gone, codeOf(h, gone.secret))).toMatchObject([
    403,
    { success: false, error: 'Account is not active' },
  ]);
});

test('a check without fields is 400, and so is an unknown user', async () => {
  for (const body of [{}, { user_id: 1 }, { token: '123456' }, { user_id: 1, token: '' }])
    expect(await h.call('POST /2fa/verify-login', { body })).toMatchObject([
      400,
      { success: false, error: 'User ID and token are required' },
    ]);
  const nobody = { ...(await h.user()), user_id: 2_000_000_000 };
  expect(await verify(h, nobody, '123456')).toMatchObject([400, INVALID]);
});

test('a new password ends log-ins that wait for a code', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const { token } = linkIn(await mailTo(h, user.email, /^Reset/));
  const body = { token, new_password: 'a new password' };
  expect((await h.call('POST /password/reset', { body }))[0]).toBe(200);
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(401);
  expect((await logIn(h, { ...user, password: 'a new password' }))[1].requires_2fa).toBe(true);
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(200);
});

test('a disabled second factor ends them too, even if it is enabled again', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  const off = { token: user.backupCodes[0], password: user.password };
  expect((await h.call('POST /2fa/disable', { as: user, body: off }))[0]).toBe(200);
  const on = { token: codeOf(h, user.secret) };
  expect((await h.call('POST /2fa/enable', { as: user, body: on }))[0]).toBe(200);
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(401);
});

test('checks and completions are in the audit log, with the reason of a failure', async () => {
  const user = await protectedUser(h);
  const code = codeOf(h, user.secret);
  await logIn(h, user);
  await verify(h, user, wrongCodeOf(h, user.secret));
  await verify(h, user, code);
  await complete(h, user, code);
  await logIn(h, user);
  await complete(h, user, code);
  const [, { data }] = await h.call('GET /2fa/audit', { as: user });
  expect(
    data.map(({ action, failure_reason }: Record<string, unknown>) => [action, failure_reason]),
  ).toEqual([
    ['failed_verification', 'code_already_used'],
    ['verified', null],
    ['verified', null],
    ['failed_verification', 'invalid_code'],
    ['enabled', null],
    ['setup', null],
  ]);
});
