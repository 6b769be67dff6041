import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import { type Charge, createBudgets, forgetSpent, readSpent } from './budgets.ts';

const MINUTE_MS = 60_000;
const database = await testDatabase();
const { db, close } = openDatabase(database.url, { max: 20 });
const clock = createClock();
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
const budgets = createBudgets({ clock, log });
afterAll(async () => {
  await close();
  await database.close();
});

let serial = 0;
const fresh = (over: Partial<Charge> = {}): Charge => {
  serial += 1;
  return { subject: `subject ${serial}`, most: 3, withinMs: 60 * MINUTE_MS, ...over };
};
const spend = (...charges: Charge[]) => transact(db, (tx) => budgets.spend(tx, charges));
const spentOf = async ({ subject }: Charge) =>
  (await readSpent(db, [subject], clock.now())).get(subject) ?? 0;
/** How many of so many at once came through. */
const manyAtOnce = async (n: number, ...charges: Charge[]) =>
  (await Promise.all(Array.from({ length: n }, () => spend(...charges)))).filter(
    (wait) => wait === undefined,
  ).length;

/** The windows of wide ones are the calendar's: none may end in the middle of a test. */
beforeEach(() => {
  const day = 24 * 60 * MINUTE_MS;
  clock.advance(day - (clock.now().getTime() % day));
});

describe('a budget', () => {
  test('lets so many through and says when the next may come', async () => {
    const charge = fresh();
    for (let n = 0; n < 3; n += 1) expect(await spend(charge)).toBeUndefined();
    clock.advance(10 * MINUTE_MS);
    const wait = await spend(charge);
    expect(wait).toBeGreaterThan(49 * 60);
    expect(wait).toBeLessThanOrEqual(50 * 60);
    clock.advance(50 * MINUTE_MS);
    expect(await spend(charge)).toBeUndefined();
    expect(await spentOf(charge)).toBe(1);
  });

  test('lets exactly so many through when all come at once', async () => {
    expect(await manyAtOnce(40, fresh({ most: 7 }))).toBe(7);
  });

  test('is not spent by what another one refuses', async () => {
    const [used, open] = [fresh({ most: 1 }), fresh()];
    await spend(used);
    expect(await spend(open, used)).toBeGreaterThan(0);
    expect(await spentOf(open)).toBe(0);
  });

  test('is not spent by a transaction that is undone', async () => {
    const charge = fresh();
    const undone = transact(db, async (tx) => {
      await budgets.spend(tx, [charge]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await spentOf(charge)).toBe(0);
  });

  test('never makes those wait for each other who spend of the same in another order', async () => {
    const [a, b, c] = [fresh({ most: 1000 }), fresh({ most: 1000 }), fresh({ most: 1000 })];
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, n) => spend(...(n % 2 === 0 ? [a, b, c] : [c, b, a]))),
    );
    expect(waits.filter((wait) => wait !== undefined)).toEqual([]);
    expect(await spentOf(a)).toBe(60);
  });
});

describe('a wide budget', () => {
  test('is counted over all its rows', async () => {
    const charge = fresh({ most: 30, wide: true });
    expect(await manyAtOnce(20, charge)).toBe(20);
    const shards = await run(db, 'select from budgets where subject = $1', [charge.subject]);
    expect(shards.length).toBeGreaterThan(1);
    expect(await manyAtOnce(20, charge)).toBeGreaterThanOrEqual(10);
    expect(await spend(charge)).toBeGreaterThan(0);
  });

  test('lets others go on while a request that has spent of it is still at work', async () => {
    const charge = fresh({ most: 30, wide: true });
    const pid = async (tx: Parameters<typeof run>[0]) =>
      (await run<{ shard: number }>(tx, 'select pg_backend_pid() % 16 as shard', []))[0]?.shard;
    await transact(db, async (slow) => {
      await budgets.spend(slow, [charge]);
      const taken = await pid(slow);
      // Of the other connections most have another row; whoever has the same one would wait.
      const others = Array.from({ length: 10 }, () =>
        transact(db, async (tx) => (await pid(tx)) === taken || budgets.spend(tx, [charge])),
      );
      expect((await Promise.all(others)).filter((wait) => typeof wait === 'number')).toEqual([]);
    });
    expect(await spentOf(charge)).toBeGreaterThan(1);
  });

  test('begins again at midnight', async () => {
    const charge = fresh({ most: 1, wide: true, withinMs: 24 * 60 * MINUTE_MS });
    clock.advance(20 * 60 * MINUTE_MS);
    await spend(charge);
    const wait = await spend(charge);
    expect(wait).toBeLessThanOrEqual(4 * 3600);
    clock.advance((wait ?? 0) * 1000);
    expect(await spend(charge)).toBeUndefined();
  });
});

describe('the operator', () => {
  const told = () => lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]);

  test('is alerted once at four fifths and once when all is spent', async () => {
    const charge = fresh({ most: 10, wide: true, alarm: true });
    lines.length = 0;
    for (let n = 0; n < 7; n += 1) await spend(charge);
    expect(told()).toEqual([]);
    for (let n = 0; n < 3; n += 1) await spend(charge);
    expect(told()).toEqual([['error', 'a ceiling is nearly reached']]);
    for (let n = 0; n < 5; n += 1) await spend(charge);
    expect(told()).toEqual([
      ['error', 'a ceiling is nearly reached'],
      ['error', 'a ceiling is reached: no more today'],
    ]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ budget: charge.subject, used: 8, most: 10 });
  });

  test('hears of it again in the next window, and nothing of budgets without an alarm', async () => {
    const [loud, quiet] = [fresh({ most: 1, wide: true, alarm: true }), fresh({ most: 1 })];
    await spend(loud);
    lines.length = 0;
    clock.advance(60 * MINUTE_MS);
    await spend(loud);
    expect(told()).toEqual([['error', 'a ceiling is nearly reached']]);
    await spend(quiet);
    await spend(quiet);
    expect(lines).toHaveLength(1);
  });
});

test('what has ended is forgotten, and nothing else', async () => {
  const [short, long] = [fresh({ withinMs: MINUTE_MS }), fresh()];
  await spend(short, long);
  clock.advance(2 * MINUTE_MS);
  await forgetSpent(db, clock.now());
  const left = await run<{ subject: string }>(db, 'select subject from budgets', []);
  const subjects = left.map(({ subject }) => subject);
  expect(subjects).toContain(long.subject);
  expect(subjects).not.toContain(short.subject);
});
