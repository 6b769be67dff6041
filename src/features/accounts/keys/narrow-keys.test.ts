import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();

async function narrow(...scopes: string[]) {
  const as = await h.user();
  const [, { api_key }] = await h.call('POST /keys/sdk-key', { as, body: { scopes } });
  const make = (body: object) => h.call('POST /keys/sdk-key', { as, key: api_key, body });
  return { as, api_key, make };
}

test.each([
  [['*']],
  [['users:read']],
  [['keys:*', 'users:write']],
  [['card-checkout:write']],
  [['card-checkout:*']],
])('the holder of a narrow key creates none of %j', async (scopes) => {
  const { make } = await narrow('keys:*', 'card-checkout:read');
  expect(await make({ scopes })).toMatchObject([
    403,
    { code: 'FORBIDDEN', error: 'An API key cannot create a key with more rights than its own' },
  ]);
});

test.each([[['keys:*']], [['keys:read', 'keys:write']], [['card-checkout:read']]])(
  'but one of its own scopes or fewer: %j',
  async (scopes) => {
    const { make } = await narrow('keys:*', 'card-checkout:read');
    expect(await make({ scopes })).toMatchObject([200, { scopes }]);
  },
);

test('and without a request for scopes, one like itself', async () => {
  const { as, make } = await narrow('keys:*', 'card-checkout:read');
  const [status, { scopes, api_key: key }] = await make({});
  expect([status, scopes]).toEqual([200, ['keys:*', 'card-checkout:read']]);
  const params = { user_id: as.user_id };
  expect((await h.call('GET /users/{user_id}', { as, key, params }))[0]).toBe(403);
});

test('a wider key is not rotated by a narrow one', async () => {
  const { as, api_key: key } = await narrow('keys:*');
  const [, wide] = await h.call('POST /keys/sdk-key', { as, body: {} });
  const params = { api_key: wide.api_key };
  const rotate = (with_: string) =>
    h.call('POST /keys/sdk-key/{api_key}/rotate', { as, key: with_, params, body: {} });
  expect(await rotate(key)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  expect((await rotate(wide.api_key))[0]).toBe(200);
});

test('the log-in alone makes the user’s own whole key', async () => {
  const as = await h.user();
  const [status, { scopes }] = await h.call('POST /keys/sdk-key', {
    as,
    headers: { 'x-api-key': '' },
    body: {},
  });
  expect([status, scopes]).toEqual([200, ['*']]);
});
