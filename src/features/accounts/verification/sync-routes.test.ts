import { describe, expect, test } from 'vitest';
import { type Harness, harness, type Person } from '#test/harness.ts';
import { recordVerification } from './store.ts';
import { verifiedNameOf } from './verification.ts';

const mock = await harness();
const live = await harness({ mock: false });

interface Told {
  applicantId?: string;
  reviewAnswer?: string;
  verification_type?: string;
}
/** The endpoint is public: no key, no token. */
const sync = (h: Harness, user_id: number | string, told: Told = {}) =>
  h.call('POST /ekyc/idv/syncIdvStatus', {
    as: 'nobody',
    body: {
      applicantId: 'applicant-1',
      user_id,
      reviewStatus: 'completed',
      reviewAnswer: 'GREEN',
      ...told,
    },
  });
const status = async (h: Harness, user_id: number, kind = 'KYC') => {
  const row = await h.db
    .selectFrom('verifications')
    .select('status')
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.status;
};
const history = async (h: Harness, user_id: number) => {
  const rows = await h.db
    .selectFrom('verification_history')
    .select(['source', 'status'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute();
  return rows.map((row) => `${row.source} ${row.status}`);
};
const approved = [200, { message: 'eKYC status updated to APPROVED' }];

describe('in mock mode', () => {
  test('a GREEN answer approves the person and makes them ACTIVE', async () => {
    const user = await mock.user({ ekyc_status: 'PENDING' });
    expect(await sync(mock, user.user_id)).toEqual(approved);
    expect(await status(mock, user.user_id)).toBe('APPROVED');
    const [, { data }] = await mock.call('GET /ekyc/status/{user_id}', {
      as: user,
      params: { user_id: user.user_id },
      query: { client_id: user.client_id },
    });
    expect(data).toMatchObject({ ekyc_status: 'APPROVED', user_status: 'ACTIVE' });
  });

  test('the same applicant may be named for many users, and ids may be text', async () => {
    const users = [await mock.user(), await mock.user()];
    for (const { user_id } of users) expect(await sync(mock, String(user_id))).toEqual(approved);
  });

  test('any other answer leaves the status, which is echoed with the answer', async () => {
    const user = await mock.user();
    const message = 'eKYC status not yet APPROVED';
    expect(await sync(mock, user.user_id, { reviewAnswer: 'RED' })).toEqual([
      200,
      { message, current_status: 'Not yet Submit', reviewAnswer: 'RED' },
    ]);
    expect(await status(mock, user.user_id)).toBeUndefined();
    await sync(mock, user.user_id);
    expect(await sync(mock, user.user_id, { reviewAnswer: 'RED' })).toEqual([
      200,
      { message, current_status: 'APPROVED', reviewAnswer: 'RED' },
    ]);
    expect(await history(mock, user.user_id)).toEqual(['sync APPROVED']);
  });

  test('a company of an admin makes the client ACTIVE', async () => {
    const admin = await mock.user({ role: 'admin' });
    const told = { verification_type: 'KYB' };
    // The contract has no other word for a company without documents.
    expect(await sync(mock, admin.user_id, { ...told, reviewAnswer: 'RED' })).toMatchObject([
      200,
      { message: 'eKYB status not yet APPROVED', current_status: 'PENDING' },
    ]);
    expect(await sync(mock, admin.user_id, told)).toEqual([
      200,
      { message: 'eKYB status updated to APPROVED' },
    ]);
    expect(await status(mock, admin.user_id)).toBeUndefined();
    const client = mock.db.selectFrom('clients').select(['client_status', 'ekyb_status']);
    expect(await client.where('client_id', '=', admin.client_id).executeTakeFirst()).toEqual({
      client_status: 'ACTIVE',
      ekyb_status: 'APPROVED',
    });
    expect(await sync(mock, admin.user_id, { ...told, reviewAnswer: 'RED' })).toMatchObject([
      200,
      { message: 'eKYB status not yet APPROVED', current_status: 'APPROVED' },
    ]);
  });

  test('twenty concurrent calls approve once', async () => {
    const user = await mock.user();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sync(mock, user.user_id)));
    expect(answers).toEqual(Array(20).fill(approved));
    expect(await history(mock, user.user_id)).toEqual(['sync APPROVED']);
  });

  test('a missing or wrong field is named, and an unknown user is not found', async () => {
    expect(
      await mock.call('POST /ekyc/idv/syncIdvStatus', { as: 'nobody', body: { user_id: 1 } }),
    ).toMatchObject([
      400,
      { error: 'Missing required fields: applicantId, reviewStatus, reviewAnswer' },
    ]);
    const user = await mock.user();
    expect((await sync(mock, user.user_id, { verification_type: 'KYX' }))[0]).toBe(400);
    for (const reviewAnswer of ['GREEN', 'RED'])
      expect(await sync(mock, 2_000_000_000, { reviewAnswer })).toMatchObject([
        404,
        { error: 'User not found', code: 'USER_NOT_FOUND' },
      ]);
  });
});

describe('out of mock mode', () => {
  const review = async (user: Person, reviewAnswer: string, fields: object = {}) =>
    (
      await live.sandbox('POST', '/identity/reviews', {
        externalUserId: String(user.user_id),
        type: 'KYC',
        reviewAnswer,
        ...fields,
      })
    ).applicantId as string;
  const arm = (kind: string, fields: object = {}) =>
    live.sandbox('POST', '/faults', { provider: 'identity', kind, ...fields });
  /** The provider has decided, and its webhook got lost. */
  const silently = async (user: Person, answer: string, fields: object = {}) => {
    await arm('bad-signature');
    return review(user, answer, fields);
  };
  const unknown = [
    400,
    { error: 'APPLICANT_NOT_FOUND', description: expect.any(String), code: 'PROVIDER_REJECTED' },
  ];

  test('an approval of the provider is stored, with its name of the user', async () => {
    const user = await live.user();
    const applicantId = await silently(user, 'GREEN', { name: 'Dewi Lestari' });
    expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
    expect(await verifiedNameOf(live.db, user.user_id)).toBe('Dewi Lestari');
  });

  test('only the provider’s own answer is believed', async () => {
    const [user, other] = [await live.user(), await live.user()];
    expect(await sync(live, user.user_id, { applicantId: 'made-up' })).toMatchObject(unknown);
    const approvedElsewhere = await silently(other, 'GREEN');
    expect(await sync(live, user.user_id, { applicantId: approvedElsewhere })).toMatchObject(
      unknown,
    );
    expect(
      await sync(live, other.user_id, { applicantId: approvedElsewhere, verification_type: 'KYB' }),
    ).toMatchObject(unknown);
    const rejected = await silently(user, 'RED');
    expect(await sync(live, user.user_id, { applicantId: rejected })).toEqual([
      200,
      {
        message: 'eKYC status not yet APPROVED',
        current_status: 'Not yet Submit',
        reviewAnswer: 'RED',
      },
    ]);
    expect(await history(live, user.user_id)).toEqual([]);
  });

  test('an unfinished review is answered as such', async () => {
    const user = await live.user();
    await live.call('POST /ekyc/idv/websdk/{userId}', {
      as: user,
      params: { userId: user.user_id },
    });
    const { applicant_id: applicantId } = await live.db
      .selectFrom('verifications')
      .select('applicant_id')
      .where('user_id', '=', user.user_id)
      .executeTakeFirstOrThrow();
    expect(await sync(live, user.user_id, { applicantId: applicantId ?? '' })).toEqual([
      200,
      { message: 'eKYC status not yet APPROVED', current_status: 'PENDING', reviewAnswer: null },
    ]);
  });

  test('syncs before, between and after the webhook make one approval', async () => {
    const user = await live.user();
    const applicantId = await review(user, 'GREEN');
    expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
    await live.drain();
    expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
    expect(await history(live, user.user_id)).toEqual(['sync APPROVED']);
    await review(user, 'RED');
    await live.drain();
    expect(await sync(live, user.user_id, { applicantId })).toMatchObject([
      200,
      { current_status: 'REJECTED', reviewAnswer: 'RED' },
    ]);
  });

  test('an old approval does not undo a later decision', async () => {
    const user = await live.user();
    const applicantId = await silently(user, 'GREEN');
    expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
    live.clock.advance(2000);
    await recordVerification(live.db, {
      user_id: user.user_id,
      status: 'REJECTED',
      verified_at: null,
      provider: 'PSP',
      source: 'PSP_UPDATE',
      at: live.clock.now(),
    });
    expect(await sync(live, user.user_id, { applicantId })).toEqual([
      200,
      {
        message: 'eKYC status not yet APPROVED',
        current_status: 'REJECTED',
        reviewAnswer: 'GREEN',
      },
    ]);
    live.clock.advance(2000);
    await silently(user, 'GREEN');
    expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
  });

  for (const kind of ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'])
    test(`one ${kind} of the provider's has no effect`, async () => {
      const user = await live.user();
      const applicantId = await silently(user, 'GREEN');
      await arm(kind, { ms: 20 });
      expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
    });

  for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error'])
    test(`a provider that goes on to ${kind} approves no user, and can be asked again`, async () => {
      const user = await live.user();
      const applicantId = await silently(user, 'GREEN');
      await arm(kind, { times: 2 });
      expect(await sync(live, user.user_id, { applicantId })).toMatchObject([
        503,
        {
          error: 'Failed to sync the verification status',
          details: expect.any(String),
          code: 'PROVIDER_UNAVAILABLE',
        },
      ]);
      expect(await status(live, user.user_id)).toBeUndefined();
      expect(await sync(live, user.user_id, { applicantId })).toEqual(approved);
    });
});
