import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false });
const KYC = 'ekyc-indonesia-standard';
const KYB = 'kyb-level';

const change = (as: Person, user_id: number | string, levelName: string) =>
  h.call('POST /ekyc/idv/changeLevel', { as, body: { user_id, levelName } });
const arm = (kind: string, times = 1) =>
  h.sandbox('POST', '/faults', { provider: 'identity', kind, times });
const notFound = [404, { error: 'Applicant not found', code: 'APPLICANT_NOT_FOUND' }];

async function applicant(way: 'websdk' | 'websdk-kyb' = 'websdk') {
  const admin = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: admin.client_id });
  const params = { userId: user.user_id };
  await h.call(`POST /ekyc/idv/${way}/{userId}`, { as: user, params });
  return { admin, user };
}

test('an admin moves a user of the own client to another level', async () => {
  const { admin, user } = await applicant();
  const answer = {
    success: true,
    data: { applicantId: expect.any(String), levelName: KYC, createdAt: expect.any(String) },
  };
  expect(await change(admin, String(user.user_id), KYC)).toEqual([200, answer]);
  expect(await change(await h.operator(), user.user_id, KYC)).toEqual([200, answer]);
  const { rows } = await h.kernel.pool.query(
    `select action, actor_user_id, details from activity_log where subject_user_id = $1 order by id`,
    [user.user_id],
  );
  expect(rows[0]).toEqual({
    action: 'ADMIN_CHANGE_LEVEL',
    actor_user_id: admin.user_id,
    details: { from: KYC, to: KYC },
  });
});

test('a person without a company is moved to the company level, with a company’s result', async () => {
  const { admin, user } = await applicant();
  expect(await change(admin, user.user_id, KYB)).toMatchObject([200, { data: { levelName: KYB } }]);
  const person = { externalUserId: String(user.user_id), reviewAnswer: 'GREEN' };
  await h.sandbox('POST', '/identity/reviews', { ...person, type: 'KYB' });
  await h.drain();
  const rows = await h.db
    .selectFrom('verifications')
    .select(['kind', 'status'])
    .where('user_id', '=', user.user_id)
    .orderBy('kind')
    .execute();
  expect(rows).toEqual([
    { kind: 'KYB', status: 'APPROVED' },
    { kind: 'KYC', status: 'PENDING' },
  ]);
});

test('an unknown level is refused in the provider’s words', async () => {
  const { admin, user } = await applicant('websdk-kyb');
  expect(await change(admin, user.user_id, 'no-such-level')).toMatchObject([
    400,
    { error: 'LEVEL_NOT_FOUND', description: expect.stringContaining('no-such-level') },
  ]);
});

test('a user who is no applicant, or of another client, is not found', async () => {
  const { admin, user } = await applicant();
  const beginner = await h.user({ client_id: admin.client_id });
  expect(await change(admin, beginner.user_id, KYC)).toMatchObject(notFound);
  expect(await change(admin, 2_000_000_000, KYC)).toMatchObject(notFound);
  const stranger = await h.user({ role: 'admin' });
  expect(await change(stranger, user.user_id, KYC)).toMatchObject(notFound);
  expect(await change(user, user.user_id, KYC)).toMatchObject([403, { code: 'FORBIDDEN' }]);
});

test('both fields are required', async () => {
  const { admin } = await applicant();
  expect(await h.call('POST /ekyc/idv/changeLevel', { as: admin, body: {} })).toMatchObject([
    400,
    { error: 'Missing required fields: user_id, levelName' },
  ]);
  expect((await change(admin, 'me', KYC))[0]).toBe(400);
});

test('a provider that is away is reported, and the change may be repeated', async () => {
  const { admin, user } = await applicant();
  for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error']) {
    await arm(kind, 2);
    expect(await change(admin, user.user_id, KYC), kind).toMatchObject([
      503,
      { error: 'Failed to change the level', details: expect.any(String) },
    ]);
    await arm(kind);
    expect((await change(admin, user.user_id, KYC))[0], kind).toBe(200);
  }
});
