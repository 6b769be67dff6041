import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
const KEY = /^ak_[0-9a-f]{64}$/;

const make = async (as: Person, body: object = {}) => {
  const [status, made] = await h.call('POST /keys/sdk-key', { as, body });
  expect(status).toBe(200);
  return made;
};
const list = async (as: Person) => (await h.call('GET /keys/sdk-key', { as }))[1].data;
const worksAs = async (as: Person, key: string) =>
  (await h.call('GET /keys/sdk-key', { as, key }))[0];

test('any caller may create a key, under a name or the default one', async () => {
  const [status, made] = await h.call('POST /keys/generate-sdk-key', { as: 'nobody' });
  expect([status, made]).toEqual([
    200,
    {
      success: true,
      api_key: expect.stringMatching(KEY),
      provider_name: 'SDK Client',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  const body = { provider_name: 'x'.repeat(100) };
  const [, named] = await h.call('POST /keys/generate-sdk-key', { as: 'nobody', body });
  expect(named.provider_name).toBe(body.provider_name);
  const user = await h.user();
  expect(await worksAs(user, made.api_key)).toBe(200);
});

test('a name over 100 characters is refused in the words of the contract', async () => {
  const body = { provider_name: 'x'.repeat(101) };
  const refusal = {
    success: false,
    error: 'Provider name too long (max 100 characters)',
    code: 'VALIDATION_ERROR',
  };
  const user = await h.user();
  for (const [id, as] of [
    ['POST /keys/generate-sdk-key', 'nobody'],
    ['POST /keys/sdk-key', user],
  ] as const)
    expect(await h.call(id, { as, body })).toMatchObject([400, refusal]);
  for (const provider_name of [7, null, {}, []])
    expect((await h.call('POST /keys/sdk-key', { as: user, body: { provider_name } }))[0]).toBe(
      400,
    );
  expect(await list(user)).toEqual([]);
});

test('a key of a user needs the log-in token and no other key', async () => {
  const user = await h.user();
  const headers = { authorization: `Bearer ${user.token}` };
  const [status, made] = await h.call('POST /keys/sdk-key', { as: 'nobody', headers });
  expect([status, made]).toMatchObject([
    200,
    { success: true, api_key: expect.stringMatching(KEY), user_id: user.user_id, scopes: ['*'] },
  ]);
  expect(await h.call('POST /keys/sdk-key')).toMatchObject([401, { code: 'TOKEN_MISSING' }]);
  expect(await h.call('GET /keys/sdk-key')).toMatchObject([401, { code: 'TOKEN_MISSING' }]);
  expect(await h.call('GET /keys/sdk-key', { as: 'nobody', headers })).toMatchObject([
    401,
    { code: 'API_KEY_MISSING' },
  ]);
  expect(
    await h.call('DELETE /keys/sdk-key/{api_key}', { params: { api_key: made.api_key } }),
  ).toMatchObject([401, { success: false }]);
});

test('only the hash of a key is stored', async () => {
  const { api_key } = await make(await h.user());
  const rows = await h.db.selectFrom('api_keys').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(api_key.slice(12, 40));
});

test('a listing shows own keys, masked, newest first, with the exact number of uses', async () => {
  const user = await h.user();
  const first = await make(user, { provider_name: 'first' });
  const second = await make(user, { provider_name: 'second' });
  await make(await h.user(), { provider_name: 'of another user' });
  for (let use = 0; use < 3; use += 1) await worksAs(user, first.api_key);

  const rows = await list(user);
  expect(rows.map((row: { provider_name: string }) => row.provider_name)).toEqual([
    'second',
    'first',
  ]);
  expect(rows[1]).toEqual({
    api_key: `${first.api_key.slice(0, 10)}...${first.api_key.slice(-4)}`,
    provider_name: 'first',
    created_at: first.created_at,
    last_used: expect.any(String),
    usage_count: 3,
    scopes: ['*'],
    expires_at: null,
    api_version: '2026-11-22',
    allowed_ips: null,
    rate_per_minute: null,
    last_ip: '127.0.0.1',
  });
  expect(rows[0]).toMatchObject({ usage_count: 0, last_used: null });
  expect(JSON.stringify(rows)).not.toContain(second.api_key.slice(12, 40));
});

test('a deleted key is refused at once, and gone for good', async () => {
  const user = await h.user();
  const { api_key } = await make(user);
  expect(await worksAs(user, api_key)).toBe(200);
  const params = { api_key };
  expect(await h.call('DELETE /keys/sdk-key/{api_key}', { as: user, params })).toEqual([
    200,
    {
      success: true,
      message: expect.any(String),
      deleted_key: `${api_key.slice(0, 10)}...${api_key.slice(-4)}`,
    },
  ]);
  expect(await worksAs(user, api_key)).toBe(401);
  expect(await h.call('DELETE /keys/sdk-key/{api_key}', { as: user, params })).toMatchObject([
    404,
    { success: false, error: 'API key not found' },
  ]);
});

test('no user deletes or rotates another’s key, nor an unknown one', async () => {
  const [owner, thief] = [await h.user(), await h.user({ role: 'admin' })];
  const { api_key } = await make(owner);
  const masked = `${api_key.slice(0, 10)}...${api_key.slice(-4)}`;
  for (const [as, key] of [
    [thief, api_key],
    [owner, masked],
    [owner, 'x'.repeat(201)],
    [owner, ' '],
  ] as const) {
    const params = { api_key: key };
    const [removed] = await h.call('DELETE /keys/sdk-key/{api_key}', { as, params });
    expect(removed).toBe(404);
    const [rotated] = await h.call('POST /keys/sdk-key/{api_key}/rotate', { as, params, body: {} });
    expect(rotated).toBe(404);
  }
  expect(await worksAs(owner, api_key)).toBe(200);
});

test('a key reaches only what its scopes name', async () => {
  const user = await h.user();
  const { api_key: reader, scopes } = await make(user, { scopes: ['keys:read', 'sessions:*'] });
  expect(scopes).toEqual(['keys:read', 'sessions:*']);
  expect(await worksAs(user, reader)).toBe(200);
  expect(await h.call('POST /keys/sdk-key', { as: user, key: reader, body: {} })).toMatchObject([
    403,
    { code: 'FORBIDDEN' },
  ]);
  for (const bad of [
    [],
    ['cards'],
    ['cards:all'],
    ['*', '*'],
    'cards:read',
    [7],
    [''],
    ['a b:read'],
  ])
    expect((await h.call('POST /keys/sdk-key', { as: user, body: { scopes: bad } }))[0]).toBe(400);
});

test('a key can be created for each area', async () => {
  const reply = await fetch(`${h.kernel.publicUrl()}/openapi.json`);
  const api = (await reply.json()) as { paths: object };
  const areas = new Set(Object.keys(api.paths).map((path) => path.split('/')[1]));
  expect(areas).toContain('card-checkout');
  const user = await h.user();
  const scopes = [...areas].map((area) => `${area}:read`);
  const { api_key: key } = await make(user, { scopes });
  const params = { reference_id: 'none' };
  const read = { as: user, key, params };
  expect((await h.call('GET /card-checkout/card/reference/{reference_id}', read))[0]).toBe(404);
});

test('only the operator grants the scope of a payment service provider', async () => {
  const body = { scopes: ['psp', 'users:write'] };
  for (const as of [await h.user(), await h.user({ role: 'admin' })])
    expect(await h.call('POST /keys/sdk-key', { as, body })).toMatchObject([
      403,
      { code: 'FORBIDDEN' },
    ]);
  const operator = await h.operator();
  const { api_key, scopes } = await make(operator, body);
  expect(scopes).toEqual(body.scopes);
  await h.db
    .updateTable('users')
    .set({ role: 'user' })
    .where('user_id', '=', operator.user_id)
    .execute();
  h.kernel.credentials.forget('user', operator.user_id);
  const rotation = { as: operator, params: { api_key }, body: {} };
  expect(await h.call('POST /keys/sdk-key/{api_key}/rotate', rotation)).toMatchObject([
    403,
    { error: expect.stringContaining('psp scope') },
  ]);
});

test('a key ends at its time, by the service clock', async () => {
  const user = await h.user();
  const soon = await make(user, { expires_in: 600 });
  const at = new Date(h.clock.now().getTime() + 600_000).toISOString();
  const dated = await make(user, { expires_at: at });
  expect(dated.expires_at).toBe(at);
  expect(await worksAs(user, soon.api_key)).toBe(200);
  await h.advance(601);
  for (const { api_key } of [soon, dated]) {
    expect(await worksAs(user, api_key)).toBe(401);
    const params = { api_key };
    expect(
      (await h.call('POST /keys/sdk-key/{api_key}/rotate', { as: user, params, body: {} }))[0],
    ).toBe(404);
  }
  const past = new Date(h.clock.now().getTime() - 1000).toISOString();
  for (const body of [
    { expires_at: past },
    { expires_at: '2999-01-01T00:00:00Z' },
    { expires_at: 'tomorrow' },
    { expires_at: '2026-13-45T99:00:00Z' },
    { expires_in: 0 },
    { expires_in: 1.5 },
    { expires_in: '1e3' },
    { expires_in: 600, expires_at: at },
  ])
    expect((await h.call('POST /keys/sdk-key', { as: user, body }))[0]).toBe(400);
});

test('a rotated key works until the overlap has passed, its successor from the start', async () => {
  const user = await h.user();
  const old = await make(user, { provider_name: 'shop', scopes: ['keys:*'], expires_in: 7200 });
  const [status, next] = await h.call('POST /keys/sdk-key/{api_key}/rotate', {
    as: user,
    params: { api_key: old.api_key },
    body: { overlap_seconds: 60 },
  });
  expect([status, next]).toMatchObject([
    200,
    {
      api_key: expect.stringMatching(KEY),
      provider_name: 'shop',
      scopes: ['keys:*'],
      user_id: user.user_id,
      replaced_key: `${old.api_key.slice(0, 10)}...${old.api_key.slice(-4)}`,
    },
  ]);
  const life = Date.parse(next.expires_at) - Date.parse(next.created_at);
  expect(Math.round(life / 1000)).toBe(7200);
  expect([await worksAs(user, old.api_key), await worksAs(user, next.api_key)]).toEqual([200, 200]);
  await h.advance(61);
  expect([await worksAs(user, old.api_key), await worksAs(user, next.api_key)]).toEqual([401, 200]);
});

test('without an overlap the old key is refused at once', async () => {
  const user = await h.user();
  const { api_key } = await make(user);
  expect(await worksAs(user, api_key)).toBe(200);
  await h.call('POST /keys/sdk-key/{api_key}/rotate', {
    as: user,
    params: { api_key },
    body: { overlap_seconds: 0 },
  });
  expect(await worksAs(user, api_key)).toBe(401);
});

test('a key has one successor, whatever requests race for it', async () => {
  const user = await h.user();
  const { api_key } = await make(user);
  const tries = Array.from({ length: 20 }, () =>
    h.call('POST /keys/sdk-key/{api_key}/rotate', { as: user, params: { api_key }, body: {} }),
  );
  const statuses = (await Promise.all(tries)).map(([status]) => status).sort();
  expect(statuses).toEqual([200, ...Array(19).fill(409)]);
  expect(await list(user)).toHaveLength(2);
});

test('a repeated Idempotency-Key creates no other API key, and shows its log-in the first again', async () => {
  const user = await h.user();
  const headers = { 'idempotency-key': 'once' };
  const make = () => h.call('POST /keys/sdk-key', { as: user, headers, body: {} });
  const first = await make();
  expect(first[0]).toBe(200);
  expect(await make()).toEqual(first);
  expect(await list(user)).toHaveLength(1);
});

test('actions on users’ keys are logged, without the keys', async () => {
  const user = await h.user();
  const { api_key } = await make(user);
  await h.call('DELETE /keys/sdk-key/{api_key}', { as: user, params: { api_key } });
  const rows = await h.db
    .selectFrom('activity_log')
    .where('actor_user_id', '=', user.user_id)
    .orderBy('id')
    .selectAll()
    .execute();
  expect(rows.map(({ action }) => action)).toEqual(['API_KEY_CREATED', 'API_KEY_DELETED']);
  expect(JSON.stringify(rows)).not.toContain(api_key);
});
