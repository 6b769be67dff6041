import { expect, test } from 'vitest';
import { whilePasswordChanges } from '#test/changing-password.ts';
import { harness } from '#test/harness.ts';
import { mailTo } from '#test/mails.ts';
import { codeOf, logIn, protectedUser, wrongCodeOf } from '#test/two-factor.ts';

const h = await harness();
const OK = { success: true, message: expect.any(String) };
const NEVER = {
  is_enabled: false,
  is_setup: false,
  setup_completed_at: null,
  last_used_at: null,
  backup_codes_count: 0,
};

const status = async (as: { token: string }) => (await h.call('GET /2fa/status', { as }))[1].data;
const post = (path: string, as: { token: string }, body: unknown) =>
  h.call(`POST /2fa/${path}`, { as, body });

test('from never set up to enabled', async () => {
  const user = await h.user();
  expect(await status(user)).toEqual(NEVER);

  const [code, { success, data }] = await post('setup', user, {});
  expect([code, success]).toEqual([200, true]);
  expect(data).toEqual({
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    qr_code: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/),
    backup_codes: expect.any(Array),
    manual_entry_key: data.secret,
    issuer: 'Archipay',
    account_name: user.email,
  });
  expect(new Set(data.backup_codes).size).toBe(8);
  for (const backup of data.backup_codes) expect(backup).toMatch(/^[0-9A-F]{8}$/);
  expect(await status(user)).toEqual({ ...NEVER, is_setup: true, backup_codes_count: 8 });
  expect((await logIn(h, user))[1].requires_2fa).toBe(false);

  expect(await post('enable', user, { token: codeOf(h, data.secret) })).toEqual([200, OK]);
  const enabled = await status(user);
  expect(enabled).toMatchObject({ is_enabled: true, is_setup: true, last_used_at: null });
  expect(enabled.setup_completed_at).toMatch(/Z$/);
  expect((await logIn(h, user))[1].requires_2fa).toBe(true);
});

test('a set-up that is not enabled can be repeated, and the last secret counts', async () => {
  const user = await h.user();
  const [, first] = await post('setup', user, {});
  const [, second] = await post('setup', user, {});
  expect(first.data.secret).not.toBe(second.data.secret);
  expect((await post('enable', user, { token: codeOf(h, first.data.secret) }))[0]).toBe(400);
  expect((await post('enable', user, { token: codeOf(h, second.data.secret) }))[0]).toBe(200);
});

test('an enabled second factor must be disabled before it is set up again', async () => {
  const user = await protectedUser(h);
  expect(await post('setup', user, {})).toMatchObject([
    400,
    {
      success: false,
      error: '2FA is already enabled. Disable it first to setup again.',
      code: 'TWO_FACTOR_ALREADY_ENABLED',
    },
  ]);
  expect(await post('enable', user, { token: codeOf(h, user.secret) })).toMatchObject([
    400,
    { code: 'TWO_FACTOR_ALREADY_ENABLED' },
  ]);
});

test('enabling needs a set-up and a right code', async () => {
  const user = await h.user();
  expect(await post('enable', user, { token: '123456' })).toMatchObject([
    400,
    { success: false, code: 'TWO_FACTOR_NOT_SETUP' },
  ]);
  const [, { data }] = await post('setup', user, {});
  for (const token of [wrongCodeOf(h, data.secret), data.backup_codes[0], '12345', 'abcdef'])
    expect(await post('enable', user, { token })).toMatchObject([
      400,
      { success: false, error: 'Invalid verification code' },
    ]);
  for (const body of [{}, { token: '' }, { token: 123456 }, { token: null }])
    expect(await post('enable', user, body)).toMatchObject([
      400,
      { error: 'Verification code is required' },
    ]);
  expect((await status(user)).is_enabled).toBe(false);
});

test('codes up to two steps off are right, three are wrong', async () => {
  for (const [steps, expected] of [
    [-3, 400],
    [-2, 200],
    [2, 200],
    [3, 400],
  ] as const) {
    const user = await h.user();
    const [, { data }] = await post('setup', user, {});
    // Near the end of a step the clock could tick between the code and its check.
    const left = 30 - (h.clock.seconds() % 30);
    if (left < 25) await h.advance(left);
    const token = codeOf(h, data.secret, steps);
    expect([steps, (await post('enable', user, { token }))[0]]).toEqual([steps, expected]);
  }
});

test('disabling takes the password and a code, keeps the record and notifies the user', async () => {
  const user = await protectedUser(h);
  const token = codeOf(h, user.secret);
  for (const body of [{}, { token }, { password: user.password }, { token: '', password: '' }])
    expect(await post('disable', user, body)).toMatchObject([
      400,
      { success: false, error: 'Token and password are required' },
    ]);
  expect(await post('disable', user, { token, password: 'wrong' })).toMatchObject([
    400,
    { error: 'Invalid password' },
  ]);
  const wrong = { token: wrongCodeOf(h, user.secret), password: user.password };
  expect(await post('disable', user, wrong)).toMatchObject([
    400,
    { error: 'Invalid verification code' },
  ]);
  expect((await status(user)).is_enabled).toBe(true);

  const right = { token, password: user.password };
  expect(await post('disable', user, right)).toEqual([200, OK]);
  expect(await status(user)).toMatchObject({ is_enabled: false, is_setup: true });
  expect((await logIn(h, user))[1].requires_2fa).toBe(false);
  expect(await mailTo(h, user.email, /switched off/)).toMatchObject({ channel: 'email' });
  expect(await post('disable', user, right)).toMatchObject([
    400,
    { code: 'TWO_FACTOR_NOT_ENABLED' },
  ]);
  expect((await post('setup', user, {}))[0]).toBe(200);
});

test('a password that changes during its check disables nothing', async () => {
  const user = await protectedUser(h);
  const body = { token: codeOf(h, user.secret), password: user.password };
  expect(
    await whilePasswordChanges(h, user.user_id, () => post('disable', user, body)),
  ).toMatchObject([400, { code: 'INVALID_PASSWORD' }]);
  expect((await status(user)).is_enabled).toBe(true);
});

test('a backup code disables as well, once', async () => {
  const user = await protectedUser(h);
  const [token = ''] = user.backupCodes;
  expect(await post('disable', user, { token, password: user.password })).toEqual([200, OK]);
  expect(await post('enable', user, { token: codeOf(h, user.secret) })).toEqual([200, OK]);
  expect((await post('disable', user, { token, password: user.password }))[0]).toBe(400);
});

test('guesses at a password or code with a stolen token are slowed down', async () => {
  const user = await protectedUser(h);
  const token = wrongCodeOf(h, user.secret);
  for (let n = 0; n < 5; n += 1) {
    await post('disable', user, { token, password: user.password });
    await post('backup-codes', user, { password: 'wrong' });
  }
  for (const path of ['disable', 'backup-codes'])
    expect(
      await post(path, user, { token: codeOf(h, user.secret), password: user.password }),
    ).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  await h.advance(901);
  expect((await post('backup-codes', user, { password: user.password }))[0]).toBe(200);
});

test('neither secrets nor backup codes can be read from the database', async () => {
  const user = await protectedUser(h);
  const rows = JSON.stringify([
    await h.db.selectFrom('two_factor').selectAll().execute(),
    await h.db.selectFrom('two_factor_backup_codes').selectAll().execute(),
    await h.db.selectFrom('two_factor_audit').selectAll().execute(),
  ]);
  for (const secret of [user.secret, ...user.backupCodes]) expect(rows).not.toContain(secret);
});

test('the audit log has actor, action, address and the reason of a failure', async () => {
  const user = await protectedUser(h);
  const headers = { 'user-agent': 'a test' };
  const body = { token: wrongCodeOf(h, user.secret), password: user.password };
  await h.call('POST /2fa/disable', { as: user, body, headers });
  await h.call('POST /2fa/disable', { as: user, body: { ...body, password: 'x' }, headers });
  await post('setup', user, {});
  await post('backup-codes', user, { password: user.password });
  await protectedUser(h);

  const [, { data, next_before }] = await h.call('GET /2fa/audit', { as: user });
  expect(next_before).toBeNull();
  expect(
    data.map((e: Record<string, unknown>) => [e['action'], e['success'], e['failure_reason']]),
  ).toEqual([
    ['backup_codes', true, null],
    ['setup', false, 'already_enabled'],
    ['disabled', false, 'invalid_password'],
    ['failed_verification', false, 'invalid_code'],
    ['enabled', true, null],
    ['setup', true, null],
  ]);
  expect(data[2]).toMatchObject({ client_ip: expect.any(String), user_agent: 'a test' });

  const [, page] = await h.call('GET /2fa/audit', { as: user, query: { limit: 4 } });
  expect(page.data).toEqual(data.slice(0, 4));
  const query = { limit: 4, before: page.next_before };
  const [, rest] = await h.call('GET /2fa/audit', { as: user, query });
  expect(rest).toMatchObject({ data: data.slice(4), next_before: null });
  for (const bad of [{ limit: 0 }, { limit: 101 }, { before: 'x' }])
    expect((await h.call('GET /2fa/audit', { as: user, query: bad }))[0]).toBe(400);
});

test('all of it needs a log-in, and the code of a log-in only an API key', async () => {
  for (const path of ['setup', 'enable', 'disable', 'backup-codes'] as const)
    expect((await h.call(`POST /2fa/${path}`, { body: {} }))[0]).toBe(401);
  expect((await h.call('GET /2fa/status'))[0]).toBe(401);
  expect((await h.call('POST /2fa/verify-login', { as: 'nobody', body: {} }))[0]).toBe(401);
});
