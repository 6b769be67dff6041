import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ config: { RATE_LIMITS: 'on' } });

const making = (as: Person) => h.send('POST /keys/sdk-key', { as, body: {} });

test('a user makes five keys an hour by either path, whatever API key goes along', async () => {
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

test('an address makes five anonymous keys an hour, whatever API keys it sends', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const key = await h.apiKey();
    const { status } = await h.send('POST /keys/generate-sdk-key', { key, body: {} });
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('listing and deleting keys have budgets of their own', async () => {
  const as = await h.user();
  const listed = await h.send('GET /keys/sdk-key', { as });
  expect(listed.headers.get('x-ratelimit-limit')).toBe('100');
  const params = { api_key: 'ak_missing' };
  const deleted = await h.send('DELETE /keys/sdk-key/{api_key}', { as, params });
  expect([deleted.status, deleted.headers.get('x-ratelimit-limit')]).toEqual([404, '10']);
});
