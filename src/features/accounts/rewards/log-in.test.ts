import { expect, test } from 'vitest';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

let serial = 0;
const newPhone = () => {
  serial += 1;
  return `+62811${String(serial).padStart(7, '0')}`;
};
const logIn = (phone: unknown) => h.call('POST /xusers/login', { body: { phone } });
async function member(phone = newPhone()) {
  const [, { token, user }] = await logIn(phone);
  return { token: token as string, ...(user as { userx_id: number; phonex: string }) };
}
const profile = async (as: { token: string }) =>
  (await h.call('GET /xprofiles/getme', { as }))[1].profile;

test('a new phone number gets an account with 50 points, and the next log-in is the same', async () => {
  const phone = newPhone();
  const [status, first] = await logIn(phone);
  expect(status).toBe(200);
  expect(first).toEqual({
    message: expect.any(String),
    token: expect.any(String),
    user: {
      userx_id: expect.any(Number),
      phonex: phone,
      usernamex: null,
      emailx: null,
      point_balance: 50,
      held: '0',
      available: '50',
      role: 'user',
    },
  });
  const [, second] = await logIn(phone);
  expect(second.user).toEqual(first.user);
  expect(second.token).not.toBe(first.token);
  expect(await profile(second)).toEqual({
    usernamex: null,
    emailx: null,
    phonex: phone,
    point_balance: 50,
    held: '0',
    available: '50',
    userx_id: first.user.userx_id,
    claim_username: false,
    verify_email: false,
    sync_contact: false,
    social_platform_1: false,
    social_platform_2: false,
    social_platform_3: false,
    social_platform_4: false,
  });
});

test('a member can spend all available points, and not one more', async () => {
  const as = await member();
  const name = { owner: `userx:${as.userx_id}`, purpose: 'points', asset: 'POINTS' } as const;
  const own = await openAccount(h.db, name);
  const house = await openAccount(h.db, houseAccount('test', 'POINTS'));
  const post = (key: string, legs: Leg[]) =>
    transact(h.db, (tx) => postWithin(tx, { key, kind: 'test', legs }));
  await post('points:held', hold(own, 20n));
  expect(await profile(as)).toMatchObject({ point_balance: 50, held: '20', available: '30' });
  await expect(post('points:more', transfer(own, house, 31n))).rejects.toThrow();
  await post('points:all', transfer(own, house, 30n));
  expect(await profile(as)).toMatchObject({ point_balance: 20, held: '20', available: '0' });
});

test('twenty concurrent first log-ins create one account and pay one welcome', async () => {
  const phone = newPhone();
  const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(phone)));
  expect(answers.map(([status]) => status)).toEqual(Array(20).fill(200));
  expect(new Set(answers.map(([, { user }]) => user.userx_id)).size).toBe(1);
  const as = answers[0]?.[1];
  expect((await profile(as)).point_balance).toBe(50);
  const [, { notifications }] = await h.call('GET /xusers/notifications', { as });
  expect(notifications).toHaveLength(1);
});

test('a number is the same member in every spelling', async () => {
  const { userx_id } = await member('+62 812-3456-7890');
  for (const phone of ['+6281234567890', '6281234567890', '081234567890', '0062 812 3456 7890'])
    expect((await logIn(phone))[1].user).toMatchObject({ userx_id, phonex: '+6281234567890' });
});

test.each([
  [{}, 'Phone number is required'],
  [{ phone: '' }, 'Phone number is required'],
  [{ phone: 81234567890 }, 'Phone number is required'],
  [{ phone: null }, 'Phone number is required'],
  [{ phone: 'call me' }, 'Phone number is not valid'],
  [{ phone: '+0812345678' }, 'Phone number is not valid'],
  [{ phone: '+1234567890123456' }, 'Phone number is not valid'],
])('a log-in with %j is refused', async (body, error) => {
  expect(await h.call('POST /xusers/login', { body })).toMatchObject([
    400,
    { success: false, error, code: 'VALIDATION_ERROR' },
  ]);
});

test('notifications are listed newest first, and pushed to the device of the last log-in', async () => {
  const phone = newPhone();
  const body = { phone, device_token: 'device:one' };
  const [, as] = await h.call('POST /xusers/login', { body });
  await h.call('POST /xprofiles/claim-username', { as, body: { username: 'first.device' } });
  const [status, { success, notifications }] = await h.call('GET /xusers/notifications', { as });
  expect([status, success]).toEqual([200, true]);
  expect(notifications).toMatchObject([
    { title: 'You earned 50 points', message: 'You claimed your username.', read: false },
    { title: 'You earned 50 points', message: 'Welcome! Your first points are here.' },
  ]);
  const [newest, oldest] = notifications;
  expect(newest.push_id).toBeGreaterThan(oldest.push_id);
  expect(newest.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  await h.drain();
  expect(await h.messages('device:one')).toMatchObject([{ channel: 'push' }, { channel: 'push' }]);
});

test('without a token, or with one of the platform, no data is answered', async () => {
  expect(await h.call('GET /xusers/notifications')).toMatchObject([
    401,
    { success: false, code: 'TOKEN_MISSING' },
  ]);
  const as = await h.user();
  expect(await h.call('GET /xusers/notifications', { as })).toMatchObject([
    401,
    { success: false, code: 'TOKEN_INVALID' },
  ]);
  const { token } = await member();
  expect(await h.call('GET /users/countries', { as: { token } })).toMatchObject([401, {}]);
});

test('a deleted account is closed at once, and its number cannot come back', async () => {
  const as = await member();
  const other = await member(as.phonex);
  expect(await h.call('DELETE /xaccount/delete', { as })).toEqual([
    200,
    { message: 'Account deleted' },
  ]);
  for (const token of [as.token, other.token])
    expect(await h.call('GET /xprofiles/getme', { as: { token } })).toMatchObject([
      403,
      { success: false, code: 'ACCOUNT_NOT_ACTIVE' },
    ]);
  expect(await logIn(as.phonex)).toMatchObject([
    403,
    { success: false, error: 'Account has been deleted', code: 'ACCOUNT_NOT_ACTIVE' },
  ]);
});

test('a deleted account frees its names and shows no personal data', async () => {
  const [inviter, as] = [await member(), await member()];
  const claim = (by: { token: string }) =>
    h.call('POST /xprofiles/claim-username', { as: by, body: { username: 'leaver' } });
  await claim(as);
  const contacts = [{ contact_name: 'Mum', contact_phone: '0811' }];
  await h.call('POST /xcontacts/sync', { as, body: { contacts } });
  await h.call('POST /xreff/add-inviter', { as, body: { inviter_phone: inviter.phonex } });
  await h.call('DELETE /xaccount/delete', { as });
  const [, { invited }] = await h.call('GET /xreff/invited-friends', { as: inviter });
  expect(invited).toEqual([]);
  expect((await claim(inviter))[0]).toBe(200);
  const kept = await h.db
    .selectFrom('userx_contacts')
    .where('userx_id', '=', as.userx_id)
    .selectAll()
    .execute();
  expect(kept).toEqual([]);
});

test('invited friends come in pages, each friend once', async () => {
  const inviter = await member();
  const friends: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const friend = await member();
    friends.unshift(friend.userx_id);
    await h.call('POST /xreff/add-inviter', {
      as: friend,
      body: { inviter_phone: inviter.phonex },
    });
  }
  const page = async (query: Record<string, number>) => {
    const [, { invited }] = await h.call('GET /xreff/invited-friends', { as: inviter, query });
    return invited.map(({ userx_id }: { userx_id: number }) => userx_id);
  };
  const first = await page({ limit: 2 });
  expect(first).toEqual(friends.slice(0, 2));
  expect(await page({ limit: 2, before: first[1] })).toEqual(friends.slice(2));
  expect(await page({})).toEqual(friends);
});

test('a deactivated account is closed on every process until it is active again', async () => {
  const as = await member();
  const become = (userx_status: 'ACTIVE' | 'INACTIVE') =>
    h.db.updateTable('userx').set({ userx_status }).where('userx_id', '=', as.userx_id).execute();
  const status = async () => (await h.call('GET /xprofiles/getme', { as }))[0];
  await become('INACTIVE');
  await expect.poll(status).toBe(403);
  expect(await logIn(as.phonex)).toMatchObject([403, { error: 'Account has been deactivated' }]);
  await become('ACTIVE');
  await expect.poll(status).toBe(200);
});

test('a log-in that fails midway leaves no partial account', async () => {
  const phone = newPhone();
  const { rows } = await h.kernel.pool.query(
    `select count(*) as n from ledger.transfers where kind = 'reward'`,
  );
  await h.kernel.pool.query(`alter table userx_notifications add constraint broken
    check (false) not valid`);
  expect(await logIn(phone)).toMatchObject([500, { success: false, error: 'Login failed' }]);
  await h.kernel.pool.query('alter table userx_notifications drop constraint broken');
  const after = await h.kernel.pool.query(
    `select count(*) as n from ledger.transfers where kind = 'reward'`,
  );
  expect(after.rows).toEqual(rows);
  expect((await logIn(phone))[1].user.point_balance).toBe(50);
});
