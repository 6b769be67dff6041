import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import { createQuotas } from './quota.ts';
import { forgetSpent, type Quota, readSpent } from './quota-store.ts';

const MINUTE_MS = 60_000;
const database = await testDatabase();
const { db, close } = openDatabase(database.url, { max: 20 });
const clock = createClock();
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
const quotas = createQuotas({ clock, log, config: { MOCK_MODE: false } });
afterAll(async () => {
  await close();
  await database.close();
});

let serial = 0;
const fresh = (over: Partial<Quota> = {}): Quota => {
  serial += 1;
  return { subject: `subject ${serial}`, most: 3, withinMs: 60 * MINUTE_MS, ...over };
};
/** Spends of each; answers the seconds to wait where one is used up. */
const spendIn = async (tx: Db, ...all: Quota[]) => (await quotas.take(tx, all))?.retryAfter;
const spend = (...all: Quota[]) => transact(db, (tx) => spendIn(tx, ...all));
const spentOf = async ({ subject }: Quota) =>
  (await readSpent(db, [subject], clock.now())).get(subject) ?? 0;
/** How many of `n` requests at once came through. */
const manyAtOnce = async (n: number, ...all: Quota[]) =>
  (await Promise.all(Array.from({ length: n }, () => spend(...all)))).filter(
    (wait) => wait === undefined,
  ).length;

/** Windows of shared quotas are the calendar's: none may end in the middle of a test. */
beforeEach(() => {
  const day = 24 * 60 * MINUTE_MS;
  clock.advance(day - (clock.now().getTime() % day));
});

describe('a quota', () => {
  test('lets its number through and says when the next may come', async () => {
    const quota = fresh();
    for (let n = 0; n < 3; n += 1) expect(await spend(quota)).toBeUndefined();
    clock.advance(10 * MINUTE_MS);
    const wait = await spend(quota);
    expect(wait).toBeGreaterThan(49 * 60);
    expect(wait).toBeLessThanOrEqual(50 * 60);
    clock.advance(50 * MINUTE_MS);
    expect(await spend(quota)).toBeUndefined();
    expect(await spentOf(quota)).toBe(1);
  });

  test('lets exactly its number through when all requests come at once', async () => {
    expect(await manyAtOnce(40, fresh({ most: 7 }))).toBe(7);
  });

  test('is not spent by a request that another quota refuses', async () => {
    const [used, open] = [fresh({ most: 1 }), fresh()];
    await spend(used);
    expect(await spend(open, used)).toBeGreaterThan(0);
    expect(await spentOf(open)).toBe(0);
  });

  test('is not spent by a transaction that rolls back', async () => {
    const quota = fresh();
    const undone = transact(db, async (tx) => {
      await spendIn(tx, quota);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await spentOf(quota)).toBe(0);
  });

  test('never deadlocks two requests that spend of the same in another order', async () => {
    const [a, b, c] = [fresh({ most: 1000 }), fresh({ most: 1000 }), fresh({ most: 1000 })];
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, n) => spend(...(n % 2 === 0 ? [a, b, c] : [c, b, a]))),
    );
    expect(waits.filter((wait) => wait !== undefined)).toEqual([]);
    expect(await spentOf(a)).toBe(60);
  });
});

describe('a shared quota', () => {
  test('counts over all its rows', async () => {
    const quota = fresh({ most: 30, isShared: true });
    expect(await manyAtOnce(20, quota)).toBe(20);
    const shards = await run(db, 'select from budgets where subject = $1', [quota.subject]);
    expect(shards.length).toBeGreaterThan(1);
    expect(await manyAtOnce(20, quota)).toBeGreaterThanOrEqual(10);
    expect(await spend(quota)).toBeGreaterThan(0);
  });

  test('does not block others while a request that spent of it is in progress', async () => {
    const quota = fresh({ most: 30, isShared: true });
    const pid = async (tx: Parameters<typeof run>[0]) =>
      (await run<{ shard: number }>(tx, 'select pg_backend_pid() % 16 as shard', []))[0]?.shard;
    await transact(db, async (slow) => {
      await spendIn(slow, quota);
      const taken = await pid(slow);
      // Most of the other connections have another row; one with the same row would wait.
      const others = Array.from({ length: 10 }, () =>
        transact(db, async (tx) => (await pid(tx)) === taken || spendIn(tx, quota)),
      );
      expect((await Promise.all(others)).filter((wait) => typeof wait === 'number')).toEqual([]);
    });
    expect(await spentOf(quota)).toBeGreaterThan(1);
  });

  test('begins again at midnight', async () => {
    const quota = fresh({ most: 1, isShared: true, withinMs: 24 * 60 * MINUTE_MS });
    clock.advance(20 * 60 * MINUTE_MS);
    await spend(quota);
    const wait = await spend(quota);
    expect(wait).toBeLessThanOrEqual(4 * 3600);
    clock.advance((wait ?? 0) * 1000);
    expect(await spend(quota)).toBeUndefined();
  });
});

describe('the operator', () => {
  const alerts = () => lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]);

  test('gets one alert at four fifths and one when all is spent', async () => {
    const quota = fresh({ most: 10, isShared: true, hasAlarm: true });
    lines.length = 0;
    for (let n = 0; n < 7; n += 1) await spend(quota);
    expect(alerts()).toEqual([]);
    for (let n = 0; n < 3; n += 1) await spend(quota);
    expect(alerts()).toEqual([['error', 'a ceiling is nearly reached']]);
    for (let n = 0; n < 5; n += 1) await spend(quota);
    expect(alerts()).toEqual([
      ['error', 'a ceiling is nearly reached'],
      ['error', 'a ceiling is reached: no more today'],
    ]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ budget: quota.subject, used: 8, most: 10 });
  });

  test('gets an alert again in the next window, and none of a quota without an alarm', async () => {
    const [loud, quiet] = [fresh({ most: 1, isShared: true, hasAlarm: true }), fresh({ most: 1 })];
    await spend(loud);
    lines.length = 0;
    clock.advance(60 * MINUTE_MS);
    await spend(loud);
    expect(alerts()).toEqual([['error', 'a ceiling is nearly reached']]);
    await spend(quiet);
    await spend(quiet);
    expect(lines).toHaveLength(1);
  });
});

test('forgetSpent deletes the windows that have ended, and nothing else', async () => {
  const [short, long] = [fresh({ withinMs: MINUTE_MS }), fresh()];
  await spend(short, long);
  clock.advance(2 * MINUTE_MS);
  await forgetSpent(db, clock.now());
  const left = await run<{ subject: string }>(db, 'select subject from budgets', []);
  const subjects = left.map(({ subject }) => subject);
  expect(subjects).toContain(long.subject);
  expect(subjects).not.toContain(short.subject);
});
