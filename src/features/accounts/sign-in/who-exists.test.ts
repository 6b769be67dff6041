import { expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';
import { sent } from '#test/statements.ts';
import { codeOf, complete, logIn, protectedUser } from '#test/two-factor.ts';

/** Out of mock mode the second half of a log-in shows no user's existence. */
const h = await harness({ mock: false });
const mocked = await harness();

const become = (user: Person, user_status: string) =>
  h.db.updateTable('users').set({ user_status }).where('user_id', '=', user.user_id).execute();

/** Users of every kind without a proven password, and an unknown one. */
async function everyKind(): Promise<Pick<Person, 'user_id'>[]> {
  const [inactive, gone] = [await h.user(), await protectedUser(h)];
  for (const user of [inactive, gone]) await become(user, 'INACTIVE');
  const rejected = await h.user({ ekyc_status: 'REJECTED' });
  const unknown = { user_id: 2_000_000_000 };
  return [unknown, await h.user(), inactive, rejected, gone, await protectedUser(h)];
}

const REFUSED = {
  success: false,
  error: 'Invalid verification code',
  code: 'INVALID_CODE',
  hint: expect.any(String),
  doc_url: expect.any(String),
  request_id: expect.any(String),
};

test('without an open log-in all names get the same answer, also none', async () => {
  for (const user of await everyKind()) {
    expect(await complete(h, user, '000000')).toEqual([401, REFUSED]);
    const body = { user_id: user.user_id, token: '000000' };
    expect(await h.call('POST /2fa/verify-login', { body })).toEqual([400, REFUSED]);
  }
});

/** The statements of one try; others may send some at the same moment, so the fewest of several. */
async function workOf(user: Pick<Person, 'user_id'>): Promise<string[]> {
  const tries: string[][] = [];
  for (let n = 0; n < 4; n += 1) {
    sent.length = 0;
    await complete(h, user, '000000');
    tries.push([...sent]);
  }
  return tries.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
}

test('and the service does the same work for it', async () => {
  for (const user of await everyKind())
    expect(await workOf(user)).toEqual([expect.stringContaining('login_challenges')]);
});

test('a caller with a proven password gets the reason', async () => {
  const user = await protectedUser(h);
  await logIn(h, user);
  await become(user, 'INACTIVE');
  expect(await complete(h, user, codeOf(h, user.secret))).toMatchObject([
    403,
    { error: 'Account is not active' },
  ]);
  await become(user, 'ACTIVE');
  expect((await complete(h, user, codeOf(h, user.secret)))[0]).toBe(200);
});

test('in mock mode the contract’s words stand', async () => {
  const told = async (user: Pick<Person, 'user_id'>): Promise<[number, Body]> => {
    const [status, { error }] = await complete(mocked, user, '000000');
    return [status, error];
  };
  expect(await told({ user_id: 2_000_000_000 })).toEqual([404, 'User not found']);
  const notEnabled = '2FA is not enabled for this user';
  expect(await told(await mocked.user())).toEqual([400, notEnabled]);
  const rejected = await mocked.user({ ekyc_status: 'REJECTED' });
  expect((await told(rejected))[0]).toBe(403);
  expect(await told(await protectedUser(mocked))).toEqual([401, 'Invalid verification code']);
});
