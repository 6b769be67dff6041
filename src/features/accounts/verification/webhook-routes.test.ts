import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from '#test/harness.ts';
import { recordVerification, verifiedNameOf } from './verification.ts';

const h = await harness({ mock: false });
const SECRET = 'sandbox-identity-webhook-secret';

type Answer = 'GREEN' | 'RED';
const review = (user: Person, reviewAnswer: Answer, fields: object = {}) =>
  h.sandbox('POST', '/identity/reviews', {
    externalUserId: String(user.user_id),
    type: 'KYC',
    reviewAnswer,
    ...fields,
  });
const arm = (kind: string, fields: object = {}) =>
  h.sandbox('POST', '/faults', { provider: 'identity', kind, ...fields });

const verification = (user_id: number, kind = 'KYC') =>
  h.db
    .selectFrom('verifications')
    .select(['status', 'verified_at', 'provider', 'applicant_id', 'level_name'])
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .executeTakeFirst();
const history = async (user: Person) => {
  const params = { user_id: user.user_id };
  const [, body] = await h.call('GET /ekyc/history/{user_id}', { as: user, params });
  return body.history.map(({ status, source }: Record<string, string>) => `${source} ${status}`);
};
const events = () => h.db.selectFrom('inbox').select(['id as digest', 'outcome']).execute();
const statusOf = async (table: 'users' | 'clients', id: number) => {
  const [column, key] =
    table === 'users' ? ['user_status', 'user_id'] : ['client_status', 'client_id'];
  const { rows } = await h.kernel.pool.query(
    `select ${column} as status from ${table} where ${key} = $1`,
    [id],
  );
  return rows[0]?.status;
};

/** A call as the provider would send it. */
function signed(event: object, secret = SECRET) {
  const body = JSON.stringify(event);
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'x-payload-digest': digest, 'x-payload-digest-alg': 'HMAC_SHA256_HEX' };
  return { as: 'nobody' as const, body, headers };
}
let calls = 0;
function result(user_id: number | string, answer: Answer, at: Date, fields: object = {}) {
  calls += 1;
  return {
    applicantId: `applicant-${user_id}`,
    applicantType: 'individual',
    correlationId: `call-${calls}`,
    levelName: 'ekyc-indonesia-standard',
    externalUserId: String(user_id),
    type: 'applicantReviewed',
    reviewResult: { reviewAnswer: answer },
    reviewStatus: 'completed',
    createdAtMs: at.toISOString().replace('T', ' ').replace('Z', ''),
    ...fields,
  };
}
const post = (event: object, secret?: string) =>
  h.call('POST /ekyc/idv/webhook', signed(event, secret));
const ago = (seconds: number) => new Date(h.clock.now().getTime() - seconds * 1000);

/** Deliveries that are still on their way arrive in their own time. */
async function arrived(n: number): Promise<void> {
  await expect.poll(async () => (await events()).length).toBeGreaterThanOrEqual(n);
}

beforeEach(async () => {
  await h.drain();
  await h.db.deleteFrom('inbox').execute();
});

test('an approval verifies the person, makes them ACTIVE and stores their name', async () => {
  const user = await h.user();
  await h.db
    .updateTable('users')
    .set({ user_status: 'PENDING' })
    .where('user_id', '=', user.user_id)
    .execute();
  expect(await review(user, 'GREEN', { name: 'Budi Santoso' })).toMatchObject({ delivered: true });
  expect(await verification(user.user_id)).toBeUndefined();
  await h.drain();
  expect(await verification(user.user_id)).toEqual({
    status: 'APPROVED',
    verified_at: expect.any(String),
    provider: 'IDV',
    applicant_id: expect.any(String),
    level_name: 'ekyc-indonesia-standard',
  });
  expect(await statusOf('users', user.user_id)).toBe('ACTIVE');
  expect(await verifiedNameOf(h.db, user.user_id)).toBe('Budi Santoso');
  expect(await history(user)).toEqual(['webhook APPROVED']);
});

test('a user approved without the provider also has a wallet after the provider’s approval', async () => {
  const user = await h.user();
  const params = { user_id: user.user_id };
  const names = async () => {
    const [, { data }] = await h.call('GET /manual/wallets/crypto/{user_id}', { as: user, params });
    return data.wallets.map(({ wallet_name }: { wallet_name: string }) => wallet_name);
  };
  await transact(h.db, (tx) =>
    recordVerification(tx, {
      user_id: user.user_id,
      status: 'APPROVED',
      verified_at: h.clock.now().toISOString(),
      provider: 'ADMIN',
      source: 'admin',
      at: null,
    }),
  );
  expect(await names()).toEqual([]);
  for (let times = 0; times < 2; times += 1) {
    await review(user, 'GREEN');
    await h.drain();
    expect(await names()).toEqual(['Main wallet']);
  }
});

test('a rejection after an approval counts, and the history keeps both', async () => {
  const user = await h.user();
  await review(user, 'GREEN');
  await h.drain();
  await review(user, 'RED');
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'REJECTED', verified_at: null });
  expect(await history(user)).toEqual(['webhook REJECTED', 'webhook APPROVED']);
  expect(await verifiedNameOf(h.db, user.user_id)).toBeNull();
});

test("a company's results are those of the client whose admin it belongs to", async () => {
  const admin = await h.user({ role: 'admin' });
  const client = () =>
    h.db
      .selectFrom('clients')
      .select(['client_status', 'ekyb_status', 'ekyc_status'])
      .where('client_id', '=', admin.client_id)
      .executeTakeFirst();
  await review(admin, 'GREEN', { type: 'KYB' });
  await h.drain();
  expect(await verification(admin.user_id, 'KYB')).toMatchObject({
    status: 'APPROVED',
    level_name: 'kyb-level',
  });
  expect(await verification(admin.user_id)).toBeUndefined();
  expect(await client()).toEqual({
    client_status: 'ACTIVE',
    ekyb_status: 'APPROVED',
    ekyc_status: 'APPROVED',
  });
  await review(admin, 'RED', { type: 'KYB' });
  await h.drain();
  expect(await client()).toEqual({
    client_status: 'PENDING',
    ekyb_status: 'REJECTED',
    ekyc_status: 'REJECTED',
  });
});

test('the company of a user without that role does not change the client', async () => {
  const user = await h.user();
  await review(user, 'GREEN', { type: 'KYB' });
  await h.drain();
  expect(await verification(user.user_id, 'KYB')).toMatchObject({ status: 'APPROVED' });
  expect(await statusOf('clients', user.client_id)).toBe('PENDING');
});

test('a call without the right signature changes nothing and is refused', async () => {
  const user = await h.user();
  const event = result(user.user_id, 'GREEN', h.clock.now());
  const forged = [401, { error: 'Invalid signature', code: 'INVALID_SIGNATURE' }];
  expect(await post(event, 'another-secret')).toMatchObject(forged);
  const { headers, ...unsigned } = signed(event);
  expect(await h.call('POST /ekyc/idv/webhook', unsigned)).toMatchObject(forged);
  const other = JSON.stringify({ ...event, applicantId: 'other' });
  expect(
    await h.call('POST /ekyc/idv/webhook', { ...unsigned, headers, body: other }),
  ).toMatchObject(forged);
  await h.drain();
  expect(await events()).toEqual([]);
  expect(await verification(user.user_id)).toBeUndefined();
});

test('twenty concurrent deliveries of one call, and a late replay, count as one', async () => {
  const user = await h.user();
  const approval = result(user.user_id, 'GREEN', ago(60));
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(approval)));
  expect(answers.map(([status]) => status)).toEqual(Array(20).fill(200));
  expect(answers.filter(([, { message }]) => message === 'Event received')).toHaveLength(1);
  await h.drain();
  await post(result(user.user_id, 'RED', ago(30)));
  await h.drain();
  expect(await post(approval)).toEqual([200, { message: 'Event known already' }]);
  await h.db.deleteFrom('inbox').execute();
  expect(await post(approval)).toEqual([200, { message: 'Event received' }]);
  await h.drain();
  expect(await events()).toMatchObject([{ outcome: 'superseded' }]);
  expect(await history(user)).toEqual(['webhook REJECTED', 'webhook APPROVED']);
});

test('results count in the order of their decision, whichever arrives first', async () => {
  const user = await h.user();
  await post(result(user.user_id, 'RED', ago(10)));
  await h.drain();
  await post(result(user.user_id, 'GREEN', ago(20)));
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'REJECTED' });
  expect(await history(user)).toEqual(['webhook REJECTED']);
});

test('a result from before an admin’s decision does not undo it', async () => {
  const user = await h.user({ ekyc_status: 'APPROVED' });
  await post(result(user.user_id, 'RED', ago(60)));
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'APPROVED' });
  await post(result(user.user_id, 'RED', new Date(h.clock.now().getTime() + 3_600_000)));
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'REJECTED' });
  await post(result(user.user_id, 'GREEN', h.clock.now()));
  await h.drain();
  expect(await verification(user.user_id), 'a clock ahead of ours').toMatchObject({
    status: 'APPROVED',
  });
});

test('a review that has only begun is PENDING, and never undoes a result', async () => {
  const user = await h.user();
  const begun = { type: 'applicantPending', reviewStatus: 'pending', reviewResult: undefined };
  await post(result(user.user_id, 'GREEN', ago(50), begun));
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'PENDING' });
  await post(result(user.user_id, 'GREEN', ago(40)));
  await post(result(user.user_id, 'GREEN', ago(30), begun));
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'APPROVED' });
  expect(await history(user)).toEqual(['webhook APPROVED', 'webhook PENDING']);
});

test('a result about an unknown user is accepted and changes nothing', async () => {
  for (const id of ['2000000000', '0', 'level-4', '99999999999999'])
    expect(await post(result(id, 'GREEN', h.clock.now()))).toEqual([
      200,
      { message: 'Event received' },
    ]);
  await h.drain();
  expect((await events()).map(({ outcome }) => outcome)).toEqual(Array(4).fill('unknown_user'));
});

test('a genuine call of another shape is accepted and ignored', async () => {
  expect(await post({ type: 'videoIdentStatusChanged' })).toEqual([
    200,
    { message: 'Event ignored' },
  ]);
  expect(await events()).toEqual([]);
  // A user may wait for it: the operator of the service has to be able to notice.
  expect(h.logs.some((line) => line.includes('is not understood'))).toBe(true);
});

test('a call that comes twice, late or after a forgery ends as it would alone', async () => {
  for (const kind of ['duplicate-callback', 'late-callback', 'bad-signature']) {
    const before = (await events()).length;
    const user = await h.user();
    await arm(kind, { ms: 50 });
    await review(user, 'GREEN');
    if (kind === 'bad-signature') await review(user, 'GREEN');
    await arrived(before + 1);
    await h.drain();
    expect(await verification(user.user_id), kind).toMatchObject({ status: 'APPROVED' });
    expect(await history(user), kind).toEqual(['webhook APPROVED']);
  }
});

test('calls that overtake one another end at the newest result', async () => {
  const user = await h.user();
  await arm('reorder');
  await review(user, 'GREEN');
  await review(user, 'RED');
  await arrived(2);
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'REJECTED' });
});

test('the verified name is read again until the provider can be reached', async () => {
  const user = await h.user();
  await review(user, 'GREEN', { name: 'Siti Aminah' });
  await arm('refuse', { times: 2 });
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ status: 'APPROVED' });
  await h.advance(60);
  await h.drain();
  expect(await verifiedNameOf(h.db, user.user_id)).toBe('Siti Aminah');
});

test('no user gets a name from another user’s documents', async () => {
  const [user, other] = [await h.user(), await h.user()];
  await review(other, 'GREEN', { name: 'Eve Other' });
  await h.drain();
  const { applicant_id: applicantId } = (await verification(other.user_id)) ?? {};
  await post(result(user.user_id, 'GREEN', h.clock.now(), { applicantId }));
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ applicant_id: applicantId });
  expect(await verifiedNameOf(h.db, user.user_id)).toBeNull();
});

test('a name that is read late is not that of replaced documents', async () => {
  const user = await h.user();
  await review(user, 'GREEN', { name: 'Former Name' });
  await arm('refuse', { times: 2 });
  await h.drain();
  await post(result(user.user_id, 'GREEN', h.clock.now(), { applicantId: 'another' }));
  await h.drain();
  await h.advance(60);
  await h.drain();
  expect(await verification(user.user_id)).toMatchObject({ applicant_id: 'another' });
  expect(await verifiedNameOf(h.db, user.user_id)).toBeNull();
});
