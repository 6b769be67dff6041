import { expect, test } from 'vitest';
import { type Body, harness } from '#test/harness.ts';
import { codeOf, logIn, protectedUser, verify, wrongCodeOf } from '#test/two-factor.ts';

/** Log-ins from many addresses, which share no slow-down that would put them in a row. */
const h = await harness({ config: { TRUST_PROXY: '1' } });

const everywhere = async (user_id: number, two_fa_token: string) => {
  const tries = Array.from({ length: 20 }, (_, n) =>
    h.call('POST /auth/complete-login', {
      body: { user_id, two_fa_token },
      headers: { 'x-forwarded-for': `203.0.113.${n}` },
    }),
  );
  return (await Promise.all(tries)).map(([status]) => status).sort();
};
const ONCE = [200, ...Array(19).fill(401)];

test('one code sent from 20 addresses at once makes one token', async () => {
  const user = await protectedUser(h);
  await Promise.all(Array.from({ length: 20 }, () => logIn(h, user)));
  expect(await everywhere(user.user_id, codeOf(h, user.secret))).toEqual(ONCE);
});

test('each backup code sent from 20 addresses at once makes one token', async () => {
  const user = await protectedUser(h);
  for (const code of user.backupCodes) {
    await Promise.all(Array.from({ length: 3 }, () => logIn(h, user)));
    expect(await everywhere(user.user_id, code)).toEqual(ONCE);
  }
});

test('a log-in is finished once, whichever codes race for it', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  await verify(h, user, codeOf(h, user.secret));
  const codes = [codeOf(h, user.secret), codeOf(h, user.secret, 1), ...user.backupCodes];
  const answers = await Promise.all(codes.map((code) => everywhere(user.user_id, code)));
  expect(answers.flat().filter((status) => status === 200)).toHaveLength(1);
});

test('a second factor switched on and off meanwhile leaves no log-in in between', async () => {
  const user = await protectedUser(h);
  const flips = Array.from({ length: 10 }, async (_, n) => {
    const [token, password] = [user.backupCodes[n % 8] ?? '', user.password];
    await h.call('POST /2fa/disable', { as: user, body: { token, password } });
    await h.call('POST /2fa/enable', { as: user, body: { token: codeOf(h, user.secret) } });
  });
  const entries = Array.from({ length: 20 }, () => logIn(h, user));
  await Promise.all(flips);
  for (const [status, { requires_2fa, data }] of await Promise.all(entries))
    expect([status, requires_2fa]).toEqual([200, data.token === undefined]);
  const { twofa_enabled } = await h.db
    .selectFrom('users')
    .where('user_id', '=', user.user_id)
    .select('twofa_enabled')
    .executeTakeFirstOrThrow();
  const [, { data }] = await h.call('GET /2fa/status', { as: user });
  expect(twofa_enabled).toBe(data.is_enabled);
});

test('guesses from ever new addresses come to an end, which a new password lifts', async () => {
  const user = await protectedUser(h);
  const wrong = wrongCodeOf(h, user.secret);
  const tryFrom = (n: number, two_fa_token: string) =>
    h.call('POST /auth/complete-login', {
      body: { user_id: user.user_id, two_fa_token },
      headers: { 'x-forwarded-for': `198.51.100.${n}` },
    });
  await logIn(h, user);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => tryFrom(n, wrong)));
  const statuses = answers.map(([status]) => status).sort();
  expect(statuses).toEqual([...Array(50).fill(401), ...Array(10).fill(429)]);
  expect((await tryFrom(99, codeOf(h, user.secret)))[0]).toBe(429);

  await h.call('POST /password/request_reset', { body: { email: user.email } });
  await h.drain();
  const [mail] = await h.messages(user.email);
  const token = /token=([0-9a-f]+)/.exec(mail.text)?.[1];
  const password = 'Another-password-1';
  await h.call('POST /password/reset', { body: { token, new_password: password } });
  await logIn(h, { ...user, password });
  expect((await tryFrom(99, codeOf(h, user.secret)))[0]).toBe(200);
});

test('strangers do not fill the audit log of somebody whose number they know', async () => {
  const user = await protectedUser(h);
  await Promise.all(Array.from({ length: 30 }, () => verify(h, user, '000000')));
  const [, { data }] = await h.call('GET /2fa/audit', { as: user });
  const knocks = data.filter((entry: Body) => entry.failure_reason === 'no_open_login');
  expect(knocks).toHaveLength(10);
});
