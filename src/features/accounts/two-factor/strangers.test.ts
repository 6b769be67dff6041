import { expect, test } from 'vitest';
import { enter, newAccount, tokenOf } from '#test/external-login.ts';
import { type Body, harness } from '#test/harness.ts';
import {
  codeOf,
  complete,
  logIn,
  type Protected,
  protectedUser,
  verify,
  wrongCodeOf,
} from '#test/two-factor.ts';

/** Callers who hold the application's API key, know a user's id, and are on another network. */
const h = await harness({ config: { TRUST_PROXY: '1' } });

const HOME = { ip: '203.0.113.1' };
const stranger = (n: number) => ({ ip: `198.51.100.${n}` });
const audited = async (as: Protected): Promise<Body[]> =>
  (await h.call('GET /2fa/audit', { as }))[1].data;
const withoutId = ([status, { request_id: _, ...told }]: [number, Body]) => [status, told];

test('strangers’ codes lock no user out, count nowhere and are in no audit log', async () => {
  const user = await protectedUser(h);
  await logIn(h, user, HOME);
  const before = await audited(user);
  const wrong = wrongCodeOf(h, user.secret);
  for (let n = 0; n < 6; n += 1) {
    const tries = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? verify : complete)(h, user, wrong, stranger(n)),
    );
    const statuses = new Set((await Promise.all(tries)).map(([status]) => status));
    expect([...statuses].sort()).toEqual([400, 401]);
  }
  const counted = await h.db.selectFrom('login_failures').selectAll().execute();
  expect(counted).toEqual([]);
  expect(await audited(user)).toEqual(before);
  expect((await complete(h, user, user.backupCodes[0] ?? '', HOME))[0]).toBe(200);
});

test('a stranger gets the same answer for a right code, a wrong one and no log-in', async () => {
  const [user, nobodyWaits] = [await protectedUser(h), await protectedUser(h)];
  await logIn(h, user, HOME);
  const tries = [
    [user, codeOf(h, user.secret)],
    [user, user.backupCodes[0] ?? ''],
    [user, wrongCodeOf(h, user.secret)],
    [nobodyWaits, codeOf(h, nobodyWaits.secret)],
  ] as const;
  for (const step of [verify, complete]) {
    const answers = [];
    for (const [who, code] of tries) answers.push(await step(h, who, code, stranger(20)));
    const [first, ...others] = answers.map(withoutId);
    for (const other of others) expect(other).toEqual(first);
  }
});

test('no code is used up by a stranger who happens to know it', async () => {
  const user = await protectedUser(h);
  await logIn(h, user, HOME);
  const [code, backup = ''] = [codeOf(h, user.secret), user.backupCodes[0]];
  for (const known of [code, backup]) {
    expect((await verify(h, user, known, stranger(30)))[0]).toBe(400);
    expect((await complete(h, user, known, stranger(30)))[0]).toBe(401);
  }
  const [, { data }] = await h.call('GET /2fa/status', { as: user });
  expect(data).toMatchObject({ backup_codes_count: 8, last_used_at: null });
  expect((await complete(h, user, code, HOME))[0]).toBe(200);
});

test('a stranger with the password finishes only their own log-in', async () => {
  const user = await protectedUser(h);
  const [home, away] = [HOME, stranger(40)];
  await logIn(h, user, home);
  await logIn(h, user, away);
  const code = codeOf(h, user.secret);
  expect((await verify(h, user, code, away))[0]).toBe(200);
  expect((await complete(h, user, code, home))[0]).toBe(401);
  expect((await complete(h, user, code, away))[0]).toBe(200);
  expect((await complete(h, user, codeOf(h, user.secret, 1), home))[0]).toBe(200);
});

test('the addresses of one IPv6 network are one place to log in from', async () => {
  const user = await protectedUser(h);
  await logIn(h, user, { ip: '2001:db8:0:7::1' });
  const code = codeOf(h, user.secret);
  expect((await complete(h, user, code, { ip: '2001:db8:0:8::1' }))[0]).toBe(401);
  expect((await complete(h, user, code, { ip: '2001:db8:0:7:ffff::2' }))[0]).toBe(200);
});

test('an external log-in waits for its code where it began, like any other', async () => {
  const user = await protectedUser(h);
  const account = newAccount();
  const link = { as: user, body: { ext_token: await tokenOf(h, account) } };
  expect((await h.call('POST /extauth/auth/link', link))[0]).toBe(200);
  const body = { ext_token: await tokenOf(h, account) };
  const headers = { 'x-forwarded-for': HOME.ip };
  const [status, begun] = await h.call('POST /extauth/auth/login', { body, headers });
  expect([status, begun.requires_2fa, begun.data.token]).toEqual([200, true, undefined]);
  const code = codeOf(h, user.secret);
  expect((await complete(h, user, code, stranger(50)))[0]).toBe(401);
  expect((await complete(h, user, code, HOME))[0]).toBe(200);
  expect((await enter(h, await tokenOf(h, account)))[1].requires_2fa).toBe(true);
  expect((await complete(h, user, codeOf(h, user.secret, 1), HOME))[0]).toBe(401);
});

test('all callers with a proven password together guess fifty times a day', async () => {
  const user = await protectedUser(h);
  const wrong = wrongCodeOf(h, user.secret);
  const answers = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      await logIn(h, user, stranger(60 + n));
      return Promise.all(
        Array.from({ length: 10 }, () => complete(h, user, wrong, stranger(60 + n))),
      );
    }),
  );
  const statuses = answers.flat().map(([status]) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});
