import { expect, test } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();

interface Member {
  readonly token: string;
  readonly userx_id: number;
  readonly phonex: string;
}
let serial = 0;
async function member(): Promise<Member> {
  serial += 1;
  const phone = `+62812${String(serial).padStart(7, '0')}`;
  const [, { token, user }] = await h.call('POST /xusers/login', { body: { phone } });
  return { token, ...user };
}
const profile = async (as: Member) => (await h.call('GET /xprofiles/getme', { as }))[1].profile;
const news = async (as: Member) =>
  (await h.call('GET /xusers/notifications', { as }))[1].notifications as Body[];
const claim = (as: Member, username: unknown) =>
  h.call('POST /xprofiles/claim-username', { as, body: { username } });
const sync = (as: Member, contacts: unknown) =>
  h.call('POST /xcontacts/sync', { as, body: { contacts } });
const invite = (as: Member, inviter_phone: unknown) =>
  h.call('POST /xreff/add-inviter', { as, body: { inviter_phone } });
const social = (as: Member, platform: unknown) =>
  h.call('POST /xsocial/claim', { as, body: { platform } });
const contacts = [{ contact_name: 'Ada', contact_phone: '0812-0000-0001' }];
const contactsOf = ({ userx_id }: Member) =>
  h.db
    .selectFrom('userx_contacts')
    .where('userx_id', '=', userx_id)
    .orderBy('position')
    .select(['contact_name', 'contact_phone'])
    .execute();

test('a username is rewarded once, and may be changed later', async () => {
  const as = await member();
  expect(await claim(as, 'ada.l')).toEqual([
    200,
    { message: 'Username claimed successfully', points_awarded: 50, already_rewarded: false },
  ]);
  expect(await claim(as, 'Ada_Lovelace')).toMatchObject([
    200,
    { points_awarded: 0, already_rewarded: true },
  ]);
  expect(await profile(as)).toMatchObject({
    usernamex: 'Ada_Lovelace',
    point_balance: 100,
    claim_username: true,
  });
});

test('a username belongs to one member, in any case', async () => {
  const [owner, other] = [await member(), await member()];
  await claim(owner, 'Grace');
  expect(await claim(other, 'gRACE')).toMatchObject([
    409,
    { success: false, error: 'Username is already taken', code: 'CONFLICT' },
  ]);
  expect(await profile(other)).toMatchObject({ usernamex: null, point_balance: 50 });
});

test('of twenty members who want a username at once one gets it, and the points', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, member));
  const answers = await Promise.all(people.map((as) => claim(as, 'wanted')));
  expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  const balances = await Promise.all(people.map(async (as) => (await profile(as)).point_balance));
  expect(balances.sort((a, b) => a - b)).toEqual([...Array(19).fill(50), 100]);
});

test('contacts are replaced as a whole, and rewarded once', async () => {
  const as = await member();
  expect(await sync(as, contacts)).toEqual([
    200,
    { message: 'Contacts synced successfully', points_awarded: 50, already_rewarded: false },
  ]);
  expect(await contactsOf(as)).toEqual([{ contact_name: 'Ada', contact_phone: '+6281200000001' }]);
  const others = [
    { contact_name: '', contact_phone: '*123#' },
    { contact_name: 'Bob', contact_phone: '112' },
    { contact_name: 'Bob', contact_phone: '112' },
  ];
  expect(await sync(as, others)).toMatchObject([
    200,
    { points_awarded: 0, already_rewarded: true },
  ]);
  expect(await contactsOf(as)).toEqual(others);
  expect(await profile(as)).toMatchObject({ point_balance: 100, sync_contact: true });
});

test('a contact without a number is left out, and the others are kept', async () => {
  const as = await member();
  const numberless = ['', '  '].map((contact_phone) => ({ contact_name: 'Mum', contact_phone }));
  expect(await sync(as, numberless)).toMatchObject([200, { points_awarded: 0 }]);
  expect(await sync(as, [...numberless, ...contacts])).toMatchObject([200, { points_awarded: 50 }]);
  expect(await contactsOf(as)).toHaveLength(1);
});

test('an empty address book is accepted, and earns nothing yet', async () => {
  const as = await member();
  expect(await sync(as, [])).toMatchObject([200, { points_awarded: 0, already_rewarded: false }]);
  expect(await sync(as, contacts)).toMatchObject([200, { points_awarded: 50 }]);
  expect(await sync(as, [])).toMatchObject([200, { points_awarded: 0, already_rewarded: true }]);
  expect(await contactsOf(as)).toEqual([]);
});

test('concurrent syncs leave the contacts of one of them', async () => {
  const as = await member();
  const books = Array.from({ length: 10 }, (_, n) =>
    Array.from({ length: 3 }, () => ({ contact_name: `Book ${n}`, contact_phone: '112' })),
  );
  await Promise.all(books.map((book) => sync(as, book)));
  expect(books).toContainEqual(await contactsOf(as));
});

test('an inviter is named once, and then counts the caller among the invited', async () => {
  const [inviter, as, later] = [await member(), await member(), await member()];
  expect(await invite(as, inviter.phonex)).toEqual([
    200,
    { message: 'Inviter added successfully', points_awarded: 50 },
  ]);
  await invite(later, inviter.phonex.replace('+62', '0'));
  expect(await invite(as, later.phonex)).toMatchObject([
    409,
    {
      success: false,
      error: 'You already have an inviter',
      message: 'You already have an inviter',
      code: 'CONFLICT',
    },
  ]);
  await claim(as, 'invited');
  const [status, answer] = await h.call('GET /xreff/invited-friends', { as: inviter });
  expect([status, answer]).toEqual([
    200,
    {
      success: true,
      invited: [
        {
          userx_id: later.userx_id,
          usernamex: null,
          emailx: null,
          phonex: later.phonex,
          created_at: expect.any(String),
        },
        {
          userx_id: as.userx_id,
          usernamex: 'invited',
          emailx: null,
          phonex: as.phonex,
          created_at: expect.any(String),
        },
      ],
    },
  ]);
  expect((await profile(inviter)).point_balance).toBe(50);
});

test('a member cannot invite themselves, nor name an unknown inviter', async () => {
  const [as, gone] = [await member(), await member()];
  await h.call('DELETE /xaccount/delete', { as: gone });
  expect(await invite(as, as.phonex.replace('+', '00'))).toMatchObject([
    400,
    { success: false, error: 'You cannot invite yourself' },
  ]);
  for (const phone of ['+6289999999999', gone.phonex])
    expect(await invite(as, phone)).toMatchObject([
      404,
      { success: false, error: 'Inviter not found', code: 'USER_NOT_FOUND' },
    ]);
  expect((await profile(as)).point_balance).toBe(50);
});

test('two members who name each other at once both get an answer', async () => {
  const [one, two] = [await member(), await member()];
  const answers = await Promise.all([invite(one, two.phonex), invite(two, one.phonex)]);
  expect(answers.map(([status]) => status)).toEqual([200, 200]);
});

test('each of the four platforms is rewarded once', async () => {
  const as = await member();
  expect(await social(as, 'platform_1')).toEqual([
    200,
    { message: 'Reward claimed', points_awarded: 50, already_rewarded: false },
  ]);
  expect(await social(as, 'https://www.instagram.com/ada/')).toEqual([
    200,
    { message: 'Reward already claimed', points_awarded: 0, already_rewarded: true },
  ]);
  for (const platform of ['Twitter', 'https://www.tiktok.com/@ada', 't.me/ada'])
    expect(await social(as, platform)).toMatchObject([200, { points_awarded: 50 }]);
  expect(await profile(as)).toMatchObject({
    point_balance: 250,
    social_platform_1: true,
    social_platform_2: true,
    social_platform_3: true,
    social_platform_4: true,
  });
  expect(await social(as, 'myspace')).toMatchObject([
    400,
    { success: false, error: 'Unrecognised platform' },
  ]);
});

const ACTIONS: [string, RouteId, unknown][] = [
  ['a username', 'POST /xprofiles/claim-username', { username: 'parallel' }],
  ['contacts', 'POST /xcontacts/sync', { contacts }],
  ['a platform', 'POST /xsocial/claim', { platform: 'telegram' }],
  ['an inviter', 'POST /xreff/add-inviter', { inviter_phone: '+628120000001' }],
];
test.each(ACTIONS)('%s twenty times at once pays once and notifies once', async (_, id, body) => {
  const as = await member();
  const answers = await Promise.all(Array.from({ length: 20 }, () => h.call(id, { as, body })));
  const paid = answers.map(([, answer]) => answer.points_awarded ?? 0);
  expect(paid.sort((a, b) => a - b)).toEqual([...Array(19).fill(0), 50]);
  expect(answers.every(([status]) => status === 200 || status === 409)).toBe(true);
  expect((await profile(as)).point_balance).toBe(100);
  expect(await news(as)).toHaveLength(2);
  await h.drain();
  expect(await h.messages(as.phonex)).toHaveLength(2);
});

test('the points of all members are the points that the house has paid', async () => {
  const { rows } = await h.kernel.pool.query(`
    select sum(posted) as total,
           sum(posted) filter (where owner = 'house') as house,
           (select -sum(points) from userx_rewards) as written
      from ledger.accounts where asset = 'POINTS'`);
  expect(rows[0].total).toBe(0n);
  expect(rows[0].house).toBe(BigInt(rows[0].written));
});

test('a repeated request with an idempotency key gets the first answer', async () => {
  const as = await member();
  const headers = { 'idempotency-key': 'claim-once' };
  const body = { platform: 'platform_2' };
  const first = await h.call('POST /xsocial/claim', { as, body, headers });
  expect(await h.call('POST /xsocial/claim', { as, body, headers })).toEqual(first);
  expect(first[1].points_awarded).toBe(50);
});

const REFUSED: [RouteId, unknown, string][] = [
  ['POST /xprofiles/claim-username', {}, 'Username is required'],
  ['POST /xprofiles/claim-username', { username: '  ' }, 'Username is required'],
  ['POST /xprofiles/claim-username', { username: 7 }, 'Username is required'],
  ['POST /xprofiles/claim-username', { username: 'two words' }, 'Username must be 2 to 50'],
  ['POST /xprofiles/claim-username', { username: '<script>' }, 'Username must be 2 to 50'],
  ['POST /xprofiles/claim-username', { username: 'x'.repeat(51) }, 'Username must be 2 to 50'],
  ['POST /xcontacts/sync', {}, 'Contacts array is required'],
  ['POST /xcontacts/sync', { contacts: 'all' }, 'Contacts array is required'],
  ['POST /xcontacts/sync', { contacts: [{ contact_name: 'x' }] }, 'Contacts array is required'],
  [
    'POST /xcontacts/sync',
    { contacts: Array.from({ length: 5001 }, () => contacts[0]) },
    'Contacts array is required',
  ],
  ['POST /xreff/add-inviter', {}, 'Inviter phone number is required'],
  ['POST /xreff/add-inviter', { inviter_phone: 'x' }, 'Phone number is not valid'],
  ['POST /xsocial/claim', {}, 'Platform is required'],
  ['POST /xsocial/claim', { platform: null }, 'Platform is required'],
  ['POST /xsocial/claim', { platform: 'https://x.com.evil.example/me' }, 'Unrecognised platform'],
];
test.each(REFUSED)('%s refuses %j', async (id, body, error) => {
  const as = await member();
  const [status, answer] = await h.call(id, { as, body });
  expect([status, answer.success, answer.error]).toEqual([
    400,
    false,
    expect.stringContaining(error),
  ]);
  expect((await profile(as)).point_balance).toBe(50);
});

test('an account that is deleted during its request is refused as that', async () => {
  const as = await member();
  const client = await h.kernel.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from userx where userx_id = $1 for update', [as.userx_id]);
    const answer = claim(as, 'too.late');
    const waiting = async () => {
      const { rows } = await h.kernel.pool.query(
        `select count(*) as n from pg_locks where not granted and locktype <> 'relation'
          and pid in (select pid from pg_stat_activity where datname = current_database())`,
      );
      return rows[0].n;
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    await client.query('delete from userx where userx_id = $1', [as.userx_id]);
    await client.query('commit');
    expect(await answer).toMatchObject([
      404,
      { success: false, error: 'User not found', code: 'USER_NOT_FOUND' },
    ]);
  } finally {
    client.release();
  }
});
