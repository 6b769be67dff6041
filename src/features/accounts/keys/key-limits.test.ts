import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ config: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });

const making = (as: Person) => h.send('POST /keys/sdk-key', { as, body: {} });

test('a user creates five keys an hour by either path, with any API key', async () => {
  const user = await h.user();
  for (let n = 4; n >= 1; n -= 1) {
    const { status, headers } = await making(user);
    expect([
      status,
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
    ]).toEqual([200, '5', String(n)]);
  }
  const { api_key } = (await making(user)).body;
  const refused = await h.send('POST /keys/sdk-key', { as: user, key: api_key, body: {} });
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const rotation = { as: user, params: { api_key }, body: {} };
  expect((await h.call('POST /keys/sdk-key/{api_key}/rotate', rotation))[0]).toBe(429);
  expect((await making(await h.user())).status).toBe(200);
});

test('an address creates five anonymous keys an hour, with any API keys', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const key = await h.apiKey();
    const { status } = await h.send('POST /keys/generate-sdk-key', { key, body: {} });
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

/** The limit and its remainder, as the headers report. */
const told = (headers: Headers) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => headers.get(name));
const keysOf = async ({ user_id }: Person) =>
  (await h.db.selectFrom('api_keys').select('key_id').where('user_id', '=', user_id).execute())
    .length;

test('a refused request spends no key of the limit, and its headers show it', async () => {
  const as = await h.user();
  const whole = { as, params: { api_key: 'ak_missing' }, body: {} };
  const refused = async () => [
    await h.send('POST /keys/sdk-key', { as, body: { provider_name: 'x'.repeat(101) } }),
    await h.send('POST /keys/sdk-key', { as, body: '{' }),
    await h.send('POST /keys/sdk-key', { as, body: { scopes: ['psp'] } }),
    await h.send('POST /keys/sdk-key', { as, body: { expires_at: '2020-01-01' } }),
    await h.send('POST /keys/sdk-key/{api_key}/rotate', whole),
  ];
  for (const { status, headers } of [...(await refused()), ...(await refused())]) {
    expect([400, 403, 404]).toContain(status);
    expect(told(headers)).toEqual(['5', '5']);
  }
  const headers = { 'idempotency-key': 'one' };
  const once = () => h.send('POST /keys/sdk-key', { as, headers, body: {} });
  expect(told((await once()).headers)).toEqual(['5', '4']);
  // A repetition creates nothing, whatever its answer.
  expect(told((await once()).headers)).toEqual(['5', '4']);
  for (let n = 3; n >= 0; n -= 1) expect(told((await making(as)).headers)).toEqual(['5', `${n}`]);
  for (const { status, headers } of [await making(as), ...(await refused())]) {
    expect(status).toBe(429);
    expect(told(headers)).toEqual(['5', '0']);
  }
  expect(await keysOf(as)).toBe(5);
});

test('of twenty concurrent requests five create a key, whatever others are refused', async () => {
  const as = await h.user();
  const bad = { scopes: ['psp'] };
  const mixed = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      h.send('POST /keys/sdk-key', { as, body: n % 5 === 4 ? {} : bad }),
    ),
  );
  const made = mixed.filter(({ status }) => status === 200);
  expect(made).toHaveLength(4);
  expect(mixed.filter(({ status }) => status === 403)).toHaveLength(16);
  const more = await Promise.all(Array.from({ length: 20 }, () => making(as)));
  const last = more.filter(({ status }) => status === 200);
  expect(last).toHaveLength(1);
  expect(more.filter(({ status }) => status === 429)).toHaveLength(19);
  const left = [...made, ...last].map(({ headers }) => headers.get('x-ratelimit-remaining'));
  expect(left.sort()).toEqual(['0', '1', '2', '3', '4']);
  expect(await keysOf(as)).toBe(5);
});

test('a key whose creation fails at the very end is given back', async () => {
  const as = await h.user();
  await h.kernel.pool.query(`
    create function lose_key() returns trigger language plpgsql as $$
    begin raise exception 'lost'; end $$;
    create constraint trigger lost after insert on api_keys deferrable initially deferred
      for each row execute function lose_key()`);
  const lost = await making(as);
  await h.kernel.pool.query('drop trigger lost on api_keys');
  expect([lost.status, ...told(lost.headers)]).toEqual([500, '5', '5']);
  expect(told((await making(as)).headers)).toEqual(['5', '4']);
});

test('vain requests for keys have the budget of any other request', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.9' };
  const ask = () =>
    h.send('POST /keys/generate-sdk-key', {
      as: 'nobody' as const,
      headers,
      body: { provider_name: 'x'.repeat(101) },
    });
  const answers = await Promise.all(Array.from({ length: 101 }, ask));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array(100).fill(400), 429]);
});

test('listing and deleting keys have budgets of their own', async () => {
  const as = await h.user();
  const listed = await h.send('GET /keys/sdk-key', { as });
  expect(listed.headers.get('x-ratelimit-limit')).toBe('100');
  const params = { api_key: 'ak_missing' };
  const deleted = await h.send('DELETE /keys/sdk-key/{api_key}', { as, params });
  expect([deleted.status, deleted.headers.get('x-ratelimit-limit')]).toEqual([404, '10']);
});
