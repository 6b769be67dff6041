import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { startRedisStandIn } from '#test/redis-stand-in.ts';
import { createLog } from '../log.ts';
import { openRedis } from '../redis.ts';
import { createWindows, shareWindows } from './windows.ts';

const MINUTE = { name: 'thing', seconds: 60 };
const log = createLog('silent');
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function standIn() {
  const redis = await startRedisStandIn();
  ends.push(redis.close);
  return redis;
}

/** As a process of the service has it. */
async function processAt(url: string, { hasty = false } = {}) {
  const redis = await openRedis(url, log);
  // The stand-in is in this process: when that stops for a while, nobody has kept silent.
  if (!hasty) redis.options.commandTimeout = 60_000;
  ends.push(() => redis.disconnect());
  await once(redis, 'ready');
  const windows = shareWindows(redis, createWindows());
  const add = async (names: readonly string[], times: 1 | -1 = 1) =>
    windows.add(
      names.map((id) => ({ kind: MINUTE, id })),
      times,
    );
  const used = async (...names: string[]) => (await add(names)).map((count) => count.used);
  return { redis, add, used };
}

test('all processes count together', async () => {
  const { url } = await standIn();
  const [one, other] = [await processAt(url), await processAt(url)];
  expect(await one.used('a', 'b')).toEqual([1, 1]);
  expect(await other.used('b', 'c')).toEqual([2, 1]);
  expect(await one.add(['b'], -1)).toMatchObject([{ used: 1 }]);
  const [count] = await other.add(['b']);
  expect(count?.used).toBe(2);
  expect(count?.msLeft).toBeGreaterThan(0);
  expect(count?.msLeft).toBeLessThanOrEqual(60_000);
  const many = await Promise.all(Array.from({ length: 50 }, () => one.used('d')));
  expect(many.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

test('a count that has lost its end is given one, lest it stand for ever', async () => {
  const { url } = await standIn();
  const { redis, add } = await processAt(url);
  await redis.incrby('thing:a', 7);
  expect(await redis.pttl('thing:a')).toBe(-1);
  expect(await add(['a'])).toEqual([{ kind: MINUTE, used: 8, msLeft: 60_000 }]);
  expect(await redis.pttl('thing:a')).toBeGreaterThan(0);
});

test('while Redis is away, or says nothing, each process counts for itself', async () => {
  const [silent, gone] = [await standIn(), await standIn()];
  const hasty = { hasty: true };
  const [one, other] = [await processAt(silent.url, hasty), await processAt(gone.url, hasty)];
  expect([await one.used('a'), await other.used('a')]).toEqual([[1], [1]]);
  silent.hush();
  await gone.close();
  for (const { used } of [one, other])
    expect([await used('a'), await used('a')]).toEqual([[1], [2]]);
});
