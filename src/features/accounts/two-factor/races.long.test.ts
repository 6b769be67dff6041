// Long: does everything many times at once.

import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';
import { codeOf, complete, logIn, protectedUser, verify, wrongCodeOf } from '#test/two-factor.ts';

/** Log-ins from many addresses, which share no slow-down that would serialise them. */
const h = await harness({ config: { TRUST_PROXY: '1' } });

const PLACES = Array.from({ length: 20 }, (_, n) => ({ ip: `203.0.113.${n}` }));
type User = Awaited<ReturnType<typeof protectedUser>>;

const logInEverywhere = (user: User) => Promise.all(PLACES.map((place) => logIn(h, user, place)));
const everywhere = async (user: User, code: string) => {
  const tries = PLACES.map((place) => complete(h, user, code, place));
  return (await Promise.all(tries)).map(([status]) => status).sort();
};
const ONCE = [200, ...Array(19).fill(401)];

test('one code sent from 20 addresses at once makes one token', async () => {
  const user = await protectedUser(h);
  await logInEverywhere(user);
  expect(await everywhere(user, codeOf(h, user.secret))).toEqual(ONCE);
});

test('each backup code sent from 20 addresses at once makes one token', async () => {
  const user = await protectedUser(h);
  for (const code of user.backupCodes) {
    await logInEverywhere(user);
    expect(await everywhere(user, code)).toEqual(ONCE);
  }
});

test('a log-in is finished once, whichever codes race for it', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  await verify(h, user, codeOf(h, user.secret));
  const codes = [codeOf(h, user.secret), codeOf(h, user.secret, 1), ...user.backupCodes];
  const tries = codes.map((code) => complete(h, user, code));
  const answers = await Promise.all([...tries, ...codes.map((code) => everywhere(user, code))]);
  const statuses = answers.flat().filter((answer) => typeof answer === 'number');
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
});

test('a second factor enabled and disabled meanwhile leaves no log-in in between', async () => {
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

test('guesses after repeated proofs of the password end, until a new password', async () => {
  const user = await protectedUser(h);
  const wrong = wrongCodeOf(h, user.secret);
  const places = Array.from({ length: 60 }, (_, n) => ({ ip: `198.51.100.${n}` }));
  const answers = await Promise.all(
    places.map(async (place) => {
      await logIn(h, user, place);
      return complete(h, user, wrong, place);
    }),
  );
  const statuses = answers.map(([status]) => status).sort();
  expect(statuses).toEqual([...Array(50).fill(401), ...Array(10).fill(429)]);
  const [last = {}] = places;
  expect((await complete(h, user, codeOf(h, user.secret), last))[0]).toBe(429);

  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const { token } = linkIn(await mailTo(h, user.email, /^Reset/));
  const password = 'Another-password-1';
  await h.call('POST /password/reset', { body: { token, new_password: password } });
  await logIn(h, { ...user, password }, last);
  expect((await complete(h, user, codeOf(h, user.secret), last))[0]).toBe(200);
});
