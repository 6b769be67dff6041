import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { holdLiveness } from '#kernel/db/liveness.ts';
import { createLog } from '#kernel/log.ts';
import { testDatabase } from '#test/database.ts';
import { silentProxy } from '#test/silent-proxy.ts';
import { createEndedAttempts } from './ended-attempts.ts';

const database = await testDatabase();
const proxy = await silentProxy(database.url);
const log = createLog('silent');
const presence = await holdLiveness(proxy.url, log);
afterAll(async () => {
  await presence.close();
  proxy.close();
  await database.close();
});

const attempt = () => ({ scope: randomBytes(32), lease: randomUUID(), held: true });

test('only so many ended attempts are remembered, and room is made when the database is back', async () => {
  const ended = createEndedAttempts({ presence, log, leaseMs: 120_000, max: 2 });
  const [one, two, three] = [attempt(), attempt(), attempt()];
  expect(await ended.add(one)).toBe(true);
  proxy.takeAway();
  const isAway = () =>
    presence.query('select 1', []).then(
      () => false,
      () => true,
    );
  await expect.poll(isAway).toBe(true);
  for (const each of [one, two, three]) expect(await ended.add(each)).toBe(false);
  const known = () => [one, two, three].map(({ scope }) => ended.of(scope).length);
  expect(known()).toEqual([1, 1, 0]);
  proxy.giveBack();
  await expect.poll(known).toEqual([0, 0, 0]);
  expect(await ended.add(three)).toBe(true);
  ended.close();
});

test('nothing is remembered for longer than its lease, be the database there or not', async () => {
  const ended = createEndedAttempts({ presence, log, leaseMs: 0 });
  const late = { ...attempt(), held: false };
  await ended.add(late);
  expect(ended.of(late.scope)).toEqual([]);
  proxy.takeAway();
  await ended.add(late);
  expect(ended.of(late.scope)).toEqual([]);
  ended.close();
});
