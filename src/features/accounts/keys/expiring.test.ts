import { expect, test } from 'vitest';
import { emittedTypes } from '#test/emitted-events.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness({ config: { JWT_TTL: '10000000' } });
const DAY_S = 24 * 3600;

async function keyFor(as: Person, days: number) {
  const body = { expires_in: days * DAY_S };
  const [status, { api_key }] = await h.call('POST /keys/sdk-key', { as, body });
  expect(status).toBe(200);
  const { key_id } = await h.db
    .selectFrom('api_keys')
    .select('key_id')
    .where('user_id', '=', as.user_id)
    .orderBy('key_id', 'desc')
    .executeTakeFirstOrThrow();
  return { api_key, told: () => emittedTypes(h, 'api_key', key_id) };
}
/** Runs the schedule of an hour; answers its events. */
async function after(days: number): Promise<void> {
  await h.drain();
  await h.advance(days * DAY_S);
  await h.drain();
}

test('a key that ends within a week has one event, in time to create another', async () => {
  const as = await h.user();
  const { told } = await keyFor(as, 30);
  await after(22);
  expect(await told()).toEqual(['api_key.created']);
  await after(2);
  expect(await told()).toEqual(['api_key.created', 'api_key.expiring']);
  await after(2);
  await after(10);
  expect(await told()).toEqual(['api_key.created', 'api_key.expiring']);
});

test('a short-lived key has none, nor has one with a successor', async () => {
  const as = await h.user();
  const brief = await keyFor(as, 3);
  const old = await keyFor(as, 30);
  const params = { api_key: old.api_key };
  const rotation = { as, params, body: {} };
  expect((await h.call('POST /keys/sdk-key/{api_key}/rotate', rotation))[0]).toBe(200);
  await after(0.5);
  expect(await brief.told()).toEqual(['api_key.created']);
  expect(await old.told()).toEqual(['api_key.created', 'api_key.rotated']);
});
