import { expect, test } from 'vitest';
import { type CallOptions, harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false });
const WAYS = ['token', 'token-kyb', 'websdk/{userId}', 'websdk-kyb/{userId}'] as const;
const LINKS = ['websdk', 'websdk-kyb'] as const;

const ask = (way: (typeof WAYS)[number], user: Person, options: CallOptions = {}) =>
  h.call(`POST /ekyc/idv/${way}`, {
    as: user,
    params: { userId: user.user_id },
    body: {},
    ...options,
  });
const arm = (kind: string, fields: object = {}) =>
  h.sandbox('POST', '/faults', { provider: 'identity', kind, ...fields });
const applicants = async (user: Person) => {
  const { rows } = await h.kernel.pool.query(
    `select data ->> 'type' as type, data #>> '{review,levelName}' as level
       from sandbox.records where provider = 'identity' and kind = 'applicant'
        and data ->> 'externalUserId' = $1 order by 1`,
    [String(user.user_id)],
  );
  return rows;
};
const verifications = (user: Person) =>
  h.db
    .selectFrom('verifications')
    .select(['kind', 'status', 'level_name'])
    .where('user_id', '=', user.user_id)
    .orderBy('kind')
    .execute();

test('a token is for the SDK alone and leaves no applicant behind', async () => {
  const user = await h.user();
  for (const way of ['token', 'token-kyb'] as const)
    expect(await ask(way, user)).toEqual([200, { token: expect.stringMatching(/^_act-/) }]);
  expect(await applicants(user)).toEqual([]);
  expect(await verifications(user)).toEqual([]);
  const { rows } = await h.kernel.pool.query(
    `select data ->> 'levelName' as level, data -> 'ttlInSecs' as ttl from sandbox.records
      where provider = 'identity' and kind = 'token' order by 1`,
  );
  expect(rows).toEqual([
    { level: 'ekyc-indonesia-standard', ttl: 600 },
    { level: 'kyb-level', ttl: 600 },
  ]);
});

test('a link creates the applicant once, and the verification is PENDING', async () => {
  const user = await h.user();
  for (const way of LINKS) {
    const links = await Promise.all(Array.from({ length: 10 }, () => ask(`${way}/{userId}`, user)));
    for (const [status, body] of links) {
      expect(status).toBe(200);
      expect(body).toEqual({ sdkLink: expect.stringMatching(/\/identity\/websdk\/p\/\w+$/) });
    }
  }
  expect(await applicants(user)).toEqual([
    { type: 'company', level: 'kyb-level' },
    { type: 'individual', level: 'ekyc-indonesia-standard' },
  ]);
  expect(await verifications(user)).toEqual([
    { kind: 'KYB', status: 'PENDING', level_name: 'kyb-level' },
    { kind: 'KYC', status: 'PENDING', level_name: 'ekyc-indonesia-standard' },
  ]);
});

test('a user who clicks through the page behind the link is verified', async () => {
  const user = await h.user();
  const [, { sdkLink }] = await ask('websdk/{userId}', user);
  const done = await fetch(sdkLink, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Budi Santoso', decision: 'approve' }),
  });
  expect(done.status).toBe(200);
  await h.drain();
  expect(await verifications(user)).toMatchObject([{ kind: 'KYC', status: 'APPROVED' }]);
  await ask('websdk/{userId}', user);
  expect(await verifications(user)).toMatchObject([{ kind: 'KYC', status: 'APPROVED' }]);
});

test('an admin may send users of the own client there, and no others', async () => {
  const user = await h.user();
  const { client_id } = user;
  const [colleague, admin] = [
    await h.user({ client_id }),
    await h.user({ client_id, role: 'admin' }),
  ];
  const [stranger, operator] = [await h.user({ role: 'admin' }), await h.operator()];
  for (const way of LINKS) {
    for (const as of [admin, operator])
      expect((await ask(`${way}/{userId}`, user, { as }))[0]).toBe(200);
    for (const as of [colleague, stranger])
      expect(await ask(`${way}/{userId}`, user, { as })).toMatchObject([
        404,
        { error: 'User not found' },
      ]);
    const params = { userId: 2_000_000_000 };
    expect((await ask(`${way}/{userId}`, user, { as: admin, params }))[0]).toBe(404);
    expect((await ask(`${way}/{userId}`, user, { params: { userId: 'me' } }))[0]).toBe(400);
  }
  expect(await verifications(colleague)).toEqual([]);
});

for (const way of WAYS) {
  test(`${way} survives one fault of the provider`, async () => {
    const user = await h.user();
    for (const kind of ['delay', 'refuse', 'drop', 'commit-then-drop', 'error']) {
      await arm(kind, { ms: 20 });
      expect((await ask(way, user))[0], kind).toBe(200);
    }
    expect((await applicants(user)).length).toBeLessThan(2);
  });

  test(`${way} reports a provider that is away, and works when it is back`, async () => {
    const user = await h.user();
    for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error']) {
      await arm(kind, { times: 2 });
      expect(await ask(way, user), kind).toMatchObject([
        503,
        { error: expect.stringMatching(/^Failed to/), details: expect.any(String) },
      ]);
      expect((await ask(way, user))[0], kind).toBe(200);
    }
    expect((await applicants(user)).length).toBeLessThan(2);
  });
}

test('a refusal of the provider is answered in its words', async () => {
  const user = await h.user();
  await h.db
    .updateTable('users')
    .set({ phone: '1'.repeat(600) })
    .where('user_id', '=', user.user_id)
    .execute();
  for (const way of WAYS)
    expect(await ask(way, user), way).toMatchObject([
      400,
      { error: 'INVALID_PARAMS', description: 'Invalid parameters', code: 'PROVIDER_REJECTED' },
    ]);
  expect(await verifications(user)).toEqual([]);
});
