import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();

const status = (as: Person, user: Person, query: Record<string, number> = {}) =>
  h.call('GET /ekyc/status/{user_id}', {
    as,
    params: { user_id: user.user_id },
    query: { client_id: user.client_id, ...query },
  });
const history = (as: Person, user: Person, query: Record<string, number> = {}) =>
  h.call('GET /ekyc/history/{user_id}', { as, params: { user_id: user.user_id }, query });
const sync = (user: Person, verification_type = 'KYC') =>
  h.call('POST /ekyc/idv/syncIdvStatus', {
    body: {
      applicantId: 'a',
      user_id: user.user_id,
      reviewStatus: 'completed',
      reviewAnswer: 'GREEN',
      verification_type,
    },
  });

test('a user without documents has that in the answer', async () => {
  const user = await h.user();
  await sync(user, 'KYB');
  const { user_id } = user;
  expect(await status(user, user)).toEqual([
    200,
    {
      message: 'No eKYC data found',
      data: {
        user_id,
        ekyc_status: 'Not yet Submit',
        ekyc_verified_at: null,
        user_status: 'PENDING',
      },
    },
  ]);
});

test('a verification is shown with its present status', async () => {
  const user = await h.user();
  const { user_id } = user;
  await sync(user);
  const [, { data }] = await status(user, user);
  expect(data).toEqual({
    user_id,
    ekyc_status: 'APPROVED',
    ekyc_verified_at: expect.stringMatching(/^\d{4}-.*Z$/),
    user_status: 'ACTIVE',
  });
  const before = data.ekyc_verified_at;
  await h.advance(60);
  await sync(user);
  expect((await status(user, user))[1].data.ekyc_verified_at, 'found right again').toBe(before);
});

test('the client is required, and must be the user’s', async () => {
  const user = await h.user();
  const { user_id } = user;
  const invalid = { error: 'user_id and client_id are required' };
  expect(
    await h.call('GET /ekyc/status/{user_id}', { as: user, params: { user_id } }),
  ).toMatchObject([400, invalid]);
  expect(
    await h.call('GET /ekyc/status/{user_id}', {
      as: user,
      params: { user_id: 'x' },
      query: { client_id: 1 },
    }),
  ).toMatchObject([400, invalid]);
  const { client_id } = await h.client();
  const operator = await h.operator();
  for (const as of [user, operator])
    expect(await status(as, user, { client_id })).toMatchObject([
      404,
      { error: 'User not found for this client' },
    ]);
});

test('a user, the client’s admins and the operator read a verification', async () => {
  const user = await h.user();
  const { client_id } = user;
  const admin = await h.user({ client_id, role: 'admin' });
  for (const as of [user, admin, await h.operator()]) {
    expect((await status(as, user))[0]).toBe(200);
    expect((await history(as, user))[0]).toBe(200);
  }
  for (const as of [await h.user({ client_id }), await h.user({ role: 'admin' })]) {
    expect((await status(as, user))[0]).toBe(404);
    expect((await history(as, user))[0]).toBe(404);
  }
});

test('the history comes newest first and in pages', async () => {
  const user = await h.user();
  for (const entry of ['PENDING', 'APPROVED', 'REJECTED'])
    await h.db
      .insertInto('verification_history')
      .values({ user_id: user.user_id, kind: 'KYC', status: entry, source: 'test' })
      .execute();
  const [, first] = await history(user, user, { limit: 2 });
  expect(first).toMatchObject({
    user_id: user.user_id,
    history: [
      { verification_type: 'KYC', status: 'REJECTED', source: 'test', at: expect.any(String) },
      { status: 'APPROVED' },
    ],
  });
  const [, second] = await history(user, user, { limit: 2, before: first.next_before });
  expect(second).toMatchObject({ history: [{ status: 'PENDING' }], next_before: null });
  expect((await history(user, user, { limit: 1000 }))[0]).toBe(400);
});

test('in mock mode, too, the webhook is believed by its signature alone', async () => {
  const user = await h.user();
  const review = {
    externalUserId: String(user.user_id),
    type: 'KYC',
    reviewAnswer: 'GREEN',
  };
  await h.sandbox('POST', '/faults', { provider: 'identity', kind: 'bad-signature' });
  expect(await h.sandbox('POST', '/identity/reviews', review)).toMatchObject({ delivered: false });
  await h.drain();
  expect((await status(user, user))[1].data.ekyc_status).toBe('Not yet Submit');
  await h.sandbox('POST', '/identity/reviews', review);
  await h.drain();
  expect((await status(user, user))[1].data.ekyc_status).toBe('APPROVED');
});

test('a change of status is in the audit of the client', async () => {
  const user = await h.user();
  await sync(user);
  const entry = await h.db
    .selectFrom('activity_log')
    .select(['action', 'client_id', 'details'])
    .where('subject_user_id', '=', user.user_id)
    .executeTakeFirst();
  expect(entry).toEqual({
    action: 'EKYC_STATUS_CHANGED',
    client_id: user.client_id,
    details: { from: null, to: 'APPROVED', source: 'sync' },
  });
});

test('PSP A gets its customer’s verification', async () => {
  const { client_id } = await h.client({ country_code: 'ID' });
  const user = await h.user({ client_id });
  await h.db
    .insertInto('psp_customers')
    .values({
      client_id,
      user_id: user.user_id,
      psp_provider: 'PSP_A',
      customer_type: 'INDIVIDUAL',
      reference_id: `test-${user.user_id}`,
    })
    .execute();
  await sync(user);
  const told = await h.db
    .selectFrom('psp_customers')
    .select('kyc_status')
    .where('user_id', '=', user.user_id)
    .executeTakeFirst();
  expect(told).toEqual({ kyc_status: 'APPROVED' });
});
