import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();

const read = (as: Person, user_id: number | string) =>
  h.call('GET /users/{user_id}', { as, params: { user_id } });
const report = (fields: object, key?: string) =>
  h.call('POST /users/psp_update', {
    body: {
      ekyc_status: 'APPROVED',
      ekyc_verified_at: '2026-03-04T05:06:07.000Z',
      country_code: 'US',
      ...fields,
    },
    ...(key && { key }),
  });

test('a user reads the own data, flat and nested, without the password', async () => {
  const as = await h.user({ ekyc_status: 'PENDING' });
  const [status, { success, data }] = await read(as, as.user_id);
  expect([status, success]).toEqual([200, true]);
  const summary = {
    user_id: as.user_id,
    email: as.email,
    username: as.username,
    role: 'user',
    phone: expect.any(String),
    user_status: 'ACTIVE',
    ekyc_status: 'PENDING',
  };
  expect(data).toEqual({
    ...summary,
    user: summary,
    client_id: as.client_id,
    created: expect.stringMatching(/Z$/),
    updated: expect.stringMatching(/Z$/),
    is_wishlist: false,
    tos_accepted_at: null,
    tos_version: null,
    confirmed_at: null,
    ekyc_verified_at: null,
    ekyc_provider: null,
    ekyc_applicant_id: null,
    ekyb_status: 'PENDING',
    ekyb_verified_at: null,
    ekyb_applicant_id: null,
    social_username: null,
    social_verified: false,
    twofa_enabled: false,
    public_key: null,
    profile_picture: null,
    psp_id: null,
    client_alias: expect.any(String),
    client_type: 'BUSINESS',
    client_status: 'PENDING',
    country_code: 'US',
    client_code: expect.stringMatching(/^CL-/),
  });
});

test('without a verification a user has not submitted one yet', async () => {
  const as = await h.user();
  expect((await read(as, as.user_id))[1].data.ekyc_status).toBe('Not yet Submit');
});

test('users read themselves, admins their client, the operator all; others do not exist', async () => {
  const user = await h.user();
  const neighbour = await h.user({ client_id: user.client_id });
  const admin = await h.user({ client_id: user.client_id, role: 'admin' });
  const stranger = await h.user({ role: 'admin' });
  expect((await read(admin, user.user_id))[0]).toBe(200);
  expect((await read(await h.operator(), user.user_id))[0]).toBe(200);
  const missing = [404, { error: 'User not found', code: 'USER_NOT_FOUND' }];
  for (const as of [neighbour, stranger])
    expect(await read(as, user.user_id)).toMatchObject(missing);
  expect(await read(user, 999_999)).toMatchObject(missing);
  for (const id of ['abc', '0', '-1', '1.5', '99999999999'])
    expect(await read(user, id)).toMatchObject([400, { error: 'Invalid user ID' }]);
});

test('every failure of reading a user has success: false beside the error', async () => {
  const as = await h.user();
  const params = { user_id: as.user_id };
  const failed = (error: string) => ({ success: false, error, code: expect.any(String) });
  expect(await read(as, 'abc')).toMatchObject([400, failed('Invalid user ID')]);
  expect(await read(as, 999_999)).toMatchObject([404, failed('User not found')]);
  expect(await h.call('GET /users/{user_id}', { params })).toMatchObject([
    401,
    failed('Authorization token is missing'),
  ]);
  // Its neighbours have the error alone.
  const wrong = { as, params: { user_id: 'abc' } };
  const [, neighbour] = await h.call('GET /users/{user_id}/tos-acceptance-link', wrong);
  expect(neighbour).not.toHaveProperty('success');
});

test('the list of users ends at the admin’s client, whatever client is requested', async () => {
  const [admin, other] = [await h.user({ role: 'admin' }), await h.user()];
  const ids = async (as: Person, query = {}) =>
    (await h.call('GET /users/users', { as, query }))[1].map((u: Person) => u.user_id);
  expect(await ids(admin)).toEqual([admin.user_id]);
  expect(await ids(admin, { client_id: admin.client_id })).toEqual([admin.user_id]);
  expect(await ids(admin, { client_id: other.client_id })).toEqual([]);
  const operator = await h.operator();
  expect(await ids(operator, { client_id: other.client_id })).toEqual([other.user_id]);
  expect(await ids(operator)).toEqual(expect.arrayContaining([admin.user_id, other.user_id]));
  expect(await ids(operator, { limit: 1, before: other.user_id + 1 })).toEqual([other.user_id]);
  const bad = await h.call('GET /users/users', { as: operator, query: { client_id: 'x' } });
  expect(bad[0]).toBe(400);
  expect((await h.call('GET /users/users', { as: other }))[0]).toBe(403);
});

test('countries are those that a fiat PSP serves', async () => {
  await h.db
    .insertInto('psps')
    .values({
      psp_id: 900,
      psp_name: 'COINS',
      psp_type: 'CRYPTO_PSP',
      country_code: 'BR',
      country_name: 'Brazil',
    })
    .execute();
  const [status, body] = await h.call('GET /users/countries', { as: await h.user() });
  expect([status, body]).toEqual([
    200,
    {
      countries: [
        { country_code: 'AU', country_name: 'Australia' },
        { country_code: 'ID', country_name: 'Indonesia' },
        { country_code: 'IN', country_name: 'India' },
        { country_code: 'SG', country_name: 'Singapore' },
        { country_code: 'US', country_name: 'United States' },
        { country_code: 'VN', country_name: 'Vietnam' },
      ],
    },
  ]);
});

test('a token is invalid after its log-out', async () => {
  const as = await h.user();
  const [status, body] = await h.call('POST /users/logout', { as, body: {} });
  expect([status, body]).toEqual([
    200,
    { message: expect.any(String), user_id: as.user_id, timestamp: expect.stringMatching(/Z$/) },
  ]);
  expect(await read(as, as.user_id)).toMatchObject([401, { code: 'TOKEN_INVALID' }]);
  expect((await h.call('POST /users/logout', { as }))[0]).toBe(401);
});

test('concurrent log-outs are one log-out', async () => {
  const as = await h.user();
  const tries = Array.from({ length: 10 }, () => h.call('POST /users/logout', { as }));
  const statuses = (await Promise.all(tries)).map(([status]) => status);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
  const logged = await h.db
    .selectFrom('activity_log')
    .select('action')
    .where('actor_user_id', '=', as.user_id)
    .execute();
  expect(logged).toEqual([{ action: 'USER_LOGOUT' }]);
});

test('a PSP’s report sets the verification, and an approved user becomes active', async () => {
  const user = await h.user({ ekyc_status: 'PENDING' });
  const { user_id } = user;
  await h.db
    .updateTable('users')
    .set({ user_status: 'PENDING' })
    .where('user_id', '=', user_id)
    .execute();
  expect(await report({ user_id })).toEqual([200, { message: expect.any(String) }]);
  expect((await read(user, user_id))[1].data).toMatchObject({
    ekyc_status: 'APPROVED',
    ekyc_verified_at: '2026-03-04T05:06:07.000Z',
    user_status: 'ACTIVE',
  });
  for (const [ekyc_status, ekyc_verified_at] of [
    ['REJECTED', '2026-03-05T00:00:00.000Z'],
    ['PENDING', '2026-03-06T00:00:00.000Z'],
  ]) {
    expect((await report({ user_id, ekyc_status, ekyc_verified_at }))[0]).toBe(200);
    const told = { ekyc_status, ekyc_verified_at, user_status: 'ACTIVE' };
    expect((await read(user, user_id))[1].data).toMatchObject(told);
  }
  const log = await h.db
    .selectFrom('activity_log')
    .select(['action', 'details'])
    .where('subject_user_id', '=', user_id)
    .orderBy('id')
    .execute();
  expect(log).toMatchObject([
    { action: 'PSP_UPDATE_USER', details: { ekyc_status: 'APPROVED' } },
    { action: 'PSP_UPDATE_USER', details: { ekyc_status: 'REJECTED' } },
    { action: 'PSP_UPDATE_USER', details: { ekyc_status: 'PENDING' } },
  ]);
});

test.each(['user_id', 'ekyc_status', 'ekyc_verified_at', 'country_code'])(
  'a report without %s, or with a wrong one, changes nothing',
  async (field) => {
    const { user_id } = await h.user({ ekyc_status: 'PENDING' });
    const outOfTime = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'];
    for (const value of [undefined, null, 'soon', ...outOfTime])
      expect(await report({ user_id, [field]: value })).toMatchObject([
        400,
        {
          code: 'VALIDATION_ERROR',
          details: expect.arrayContaining([expect.objectContaining({ field })]),
        },
      ]);
    const left = h.db.selectFrom('verifications').select('status').where('user_id', '=', user_id);
    expect(await left.execute()).toEqual([{ status: 'PENDING' }]);
  },
);

test('a user’s key cannot report about users of another client', async () => {
  const user = await h.user({ ekyc_status: 'PENDING' });
  const stranger = await h.user({ role: 'admin', client_id: (await h.client()).client_id });
  expect(await report({ user_id: user.user_id }, await h.apiKey(stranger))).toMatchObject([
    404,
    { code: 'USER_NOT_FOUND' },
  ]);
  for (const owner of [user, await h.operator()])
    expect((await report({ user_id: user.user_id }, await h.apiKey(owner)))[0]).toBe(200);
});

test('an application’s key, like the demo key, reports about the users that it signed up', async () => {
  const key = await h.apiKey({ client_id: (await h.client()).client_id });
  const { user_id } = await h.user({ ekyc_status: 'PENDING' });
  expect((await report({ user_id }, key))[0]).toBe(200);
});
