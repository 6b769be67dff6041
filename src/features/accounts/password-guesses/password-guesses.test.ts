import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';

const h = await harness({ config: { TRUST_PROXY: '1' } });

const logInFrom = async (ip: string, { email }: Pick<Person, 'email'>, password: string) => {
  const body = { usernameoremail: email, password };
  const headers = { 'x-forwarded-for': ip };
  return (await h.call('POST /auth/login', { body, headers }))[0];
};

let serial = 0;
/** Addresses without earlier log-ins, each of another network. */
const addresses = (n: number): string[] =>
  Array.from({ length: n }, () => {
    serial += 1;
    return `10.${serial >> 16}.${(serial >> 8) & 255}.${serial & 255}`;
  });

/** Ten wrong passwords from each address, its whole allowance; answers the statuses. */
async function guess(from: readonly string[], who: Pick<Person, 'email'>): Promise<number[]> {
  const statuses = from.map(async (ip) => {
    const tries = Array.from({ length: 10 }, (_, n) => logInFrom(ip, who, `wrong ${n}`));
    return Promise.all(tries);
  });
  return (await Promise.all(statuses)).flat().sort();
}
const FIFTY_OF_SIXTY = [...Array(50).fill(401), ...Array(10).fill(429)];

const warnings = async ({ email }: Pick<Person, 'email'>): Promise<string[]> => {
  await h.drain();
  const sent = await h.messages(email);
  return sent
    .filter(({ subject }) => /wrong passwords/i.test(subject))
    .map(({ text }) => text as string);
};

test('all unknown networks together have fifty wrong passwords a day', async () => {
  const user = await h.user();
  expect(await guess(addresses(6), user)).toEqual(FIFTY_OF_SIXTY);
  const [another = ''] = addresses(1);
  expect(await logInFrom(another, user, user.password)).toBe(429);
  await h.advance(3600);
  expect(await logInFrom(another, user, user.password)).toBe(429);
  await h.advance(24 * 3600);
  expect(await logInFrom(another, user, user.password)).toBe(200);
});

test('strangers’ guesses change nothing on networks of the owner’s log-ins', async () => {
  const user = await h.user();
  const [home = ''] = addresses(1);
  expect(await logInFrom(home, user, user.password)).toBe(200);
  await guess(addresses(6), user);
  for (let n = 0; n < 9; n += 1) expect(await logInFrom(home, user, 'mistyped')).toBe(401);
  expect(await logInFrom(home, user, user.password)).toBe(200);
  // Nor do their own accounts of the same address with clients of their own.
  await h.user({ email: user.email });
  await guess(addresses(6), user);
  for (let n = 0; n < 9; n += 1) expect(await logInFrom(home, user, 'mistyped')).toBe(401);
  expect(await logInFrom(home, user, user.password)).toBe(200);
  for (let n = 0; n < 9; n += 1) expect(await logInFrom(home, user, 'mistyped')).toBe(401);
  expect(await logInFrom(home, user, user.password)).toBe(200);
});

test('the owner’s typing errors at home spend nothing of other networks’ allowance', async () => {
  const user = await h.user();
  const [home = '', away = ''] = addresses(2);
  await logInFrom(home, user, user.password);
  for (let round = 0; round < 6; round += 1) {
    for (let n = 0; n < 10; n += 1) expect(await logInFrom(home, user, 'mistyped')).toBe(401);
    await h.advance(901);
  }
  expect(await logInFrom(away, user, user.password)).toBe(200);
});

test('an unknown name is slowed down like a known one', async () => {
  expect(await guess(addresses(6), { email: 'nobody@example.test' })).toEqual(FIFTY_OF_SIXTY);
});

test('an IPv6 /48 counts as well as each /64 in it, except for the owner’s own', async () => {
  const user = await h.user();
  const inSite = (n: number) => `2001:db8:7:${n.toString(16)}::1`;
  expect(await logInFrom(inSite(99), user, user.password)).toBe(200);
  const from = Array.from({ length: 5 }, (_, n) => inSite(n));
  const statuses = await guess(from, user);
  expect(statuses).toEqual([...Array(40).fill(401), ...Array(10).fill(429)]);
  expect(await logInFrom(inSite(6), user, user.password)).toBe(429);
  expect(await logInFrom(inSite(99), user, user.password)).toBe(200);
  expect(await logInFrom('2001:db8:8::1', user, user.password)).toBe(200);
});

test('the owner is notified of many wrong passwords, once a day at most', async () => {
  const user = await h.user();
  const [home = '', ...elsewhere] = addresses(4);
  await logInFrom(home, user, user.password);
  await guess(elsewhere.slice(0, 1), user);
  for (let n = 0; n < 9; n += 1) await logInFrom(home, user, 'wrong');
  expect(await warnings(user)).toEqual([]);
  await guess(elsewhere.slice(1), user);
  const [told, ...more] = await warnings(user);
  expect(more).toEqual([]);
  expect(told).toContain('20 wrong passwords');
  await h.advance(20 * 3600);
  await guess(addresses(2), user);
  expect(await warnings(user)).toHaveLength(1);
  await h.advance(5 * 3600);
  await guess(addresses(2), user);
  expect(await warnings(user)).toHaveLength(2);
});

test('nor sooner than a day later where the wrong passwords come slowly', async () => {
  const user = await h.user();
  for (const hours of [23, 2, 0]) {
    await guess(addresses(1), user);
    await h.advance(hours * 3600);
  }
  // Twenty within a day twice, two hours apart.
  expect(await warnings(user)).toHaveLength(1);
});

test('one mailbox gets one mail, for all accounts of its address', async () => {
  const user = await h.user();
  await h.user({ email: user.email.toUpperCase() });
  await guess(addresses(3), user);
  expect(await warnings(user)).toHaveLength(1);
});

test('a user without a password cannot be guessed at, and gets no mail', async () => {
  const user = await h.user();
  const without = { password_hash: null };
  await h.db.updateTable('users').set(without).where('user_id', '=', user.user_id).execute();
  await guess(addresses(3), user);
  expect(await warnings(user)).toEqual([]);
});

test('a new password resets the counts, and its owner is known where it was set', async () => {
  const user = await h.user();
  await guess(addresses(6), user);
  expect(await warnings(user)).toHaveLength(1);
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const { token } = linkIn(await mailTo(h, user.email, /^Reset/));
  const [here = '', elsewhere = ''] = addresses(2);
  const renewed = { token, new_password: 'a new password' };
  const headers = { 'x-forwarded-for': here };
  expect((await h.call('POST /password/reset', { body: renewed, headers }))[0]).toBe(200);
  expect(await logInFrom(elsewhere, user, 'a new password')).toBe(200);
  await guess(addresses(6), user);
  expect(await logInFrom(here, user, 'a new password')).toBe(200);
});

test('the holder of a token has the same allowance of guesses', async () => {
  const user = await h.user();
  const disable = async (ip: string) => {
    const body = { token: '000000', password: 'wrong' };
    const headers = { 'x-forwarded-for': ip };
    return (await h.call('POST /2fa/disable', { as: user, body, headers }))[0];
  };
  const rename = async (ip: string) => {
    const body = { username: 'x', current_password: 'wrong' };
    const options = { as: user, params: { user_id: user.user_id }, body };
    const headers = { 'x-forwarded-for': ip };
    return (await h.call('PUT /users/update_profile/{user_id}', { ...options, headers }))[0];
  };
  const tries = addresses(60).map((ip, n) => (n % 2 === 0 ? disable(ip) : rename(ip)));
  const statuses = (await Promise.all(tries)).sort();
  expect(statuses).toEqual([...Array(50).fill(400), ...Array(10).fill(429)]);
  expect(await warnings(user)).toHaveLength(1);
});

test('the last twenty networks of a user are known, for half a year', async () => {
  const user = await h.user();
  const networks = async () => {
    const of = h.db.selectFrom('user_networks').where('user_id', '=', user.user_id);
    const rows = await of.select('network').orderBy('last_seen').orderBy('network').execute();
    return rows.map(({ network }) => network);
  };
  const seen = addresses(25);
  for (const ip of seen) {
    expect(await logInFrom(ip, user, user.password)).toBe(200);
    await h.advance(1);
  }
  expect(await networks()).toEqual(seen.slice(-20));
  // Seen again, a day later, it is the newest.
  await h.advance(24 * 3600);
  const [, , , , , again = ''] = seen;
  await logInFrom(again, user, user.password);
  expect((await networks()).at(-1)).toBe(again);
  await h.advance(181 * 24 * 3600);
  await guess(addresses(6), user);
  expect(await logInFrom(again, user, user.password)).toBe(429);
  await h.drain();
  expect(await networks()).toEqual([]);
});
