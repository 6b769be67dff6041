import { expect, test } from 'vitest';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const { credentials } = h.kernel;

test('a key read while its end is being written is not remembered beyond that', async () => {
  const digest = digestOf(await h.apiKey());
  const hash = digest.toString('hex');
  await transact(h.db, async (tx) => {
    await tx.deleteFrom('api_keys').where('key_hash', '=', digest).execute();
    credentials.forget('key', hash);
    // The change is not committed, so others still find the key, and must not keep it.
    expect(await credentials.findKey(hash)).toBeDefined();
    expect(credentials.cachedKey(hash)).toBeUndefined();
  });
  expect(await credentials.findKey(hash)).toBeUndefined();
});

test('the same goes for the sessions and keys of a user who is being changed', async () => {
  const user = await h.user();
  const hash = digestOf(await h.apiKey(user)).toString('hex');
  // What another change is told in the moment of the look keeps it from being kept.
  const kept = async () => (await credentials.findKey(hash)) && credentials.cachedKey(hash);
  await expect.poll(kept).toBeDefined();
  credentials.forget('user', user.user_id);
  await credentials.findKey(hash);
  expect(credentials.cachedKey(hash)).toBeUndefined();
});
