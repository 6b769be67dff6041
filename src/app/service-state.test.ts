import { afterAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { holdLiveness } from '#kernel/db/liveness.ts';
import { createLog } from '#kernel/log.ts';
import { testDatabase } from '#test/database.ts';
import { followClock, loadClock, saveClock } from './service-state.ts';

const database = await testDatabase();
const { db, close } = openDatabase(database.url);
const presence = await holdLiveness(database.url, createLog('silent'));
afterAll(async () => {
  await presence.close();
  await close();
  await database.close();
});

test('a clock that the sandbox moves is moved in every process, and in those that start later', async () => {
  const host = createClock();
  const other = createClock();
  const following = await followClock(db, presence, other);
  host.advance(600_000);
  await saveClock(db, host);
  await expect.poll(() => other.offsetMs).toBe(600_000);
  host.advance(1500);
  await saveClock(db, host);
  await expect.poll(() => other.offsetMs).toBe(601_500);
  await following.close();

  expect((await loadClock(db, true)).offsetMs).toBe(601_500);
  const late = createClock();
  const catching = await followClock(db, presence, late);
  await expect.poll(() => late.offsetMs).toBe(601_500);
  await catching.close();
});

test('the database tells the same time as the service, moved or not', async () => {
  const aheadMs = async () => {
    const [row] = await run<{ ms: number }>(
      db,
      'select extract(epoch from service_now() - now())::float8 * 1000 as ms',
      [],
    );
    return row?.ms;
  };
  await saveClock(db, createClock(86_400_123));
  expect(await aheadMs()).toBe(86_400_123);
  // Without a sandbox there is nobody to move it, whatever was kept when there was one.
  expect((await loadClock(db, false)).offsetMs).toBe(0);
  expect(await aheadMs()).toBe(0);
  expect((await loadClock(db, true)).offsetMs).toBe(0);
});

test('a clock that is ahead of what was kept is never turned back', async () => {
  const [ahead, behind] = [createClock(10_000_000), createClock()];
  const following = await followClock(db, presence, ahead);
  const witness = await followClock(db, presence, behind);
  await saveClock(db, createClock(700_000));
  await expect.poll(() => behind.offsetMs).toBe(700_000);
  expect(ahead.offsetMs).toBe(10_000_000);
  await Promise.all([following.close(), witness.close()]);
});
