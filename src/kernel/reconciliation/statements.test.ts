import { afterAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { BOOKS_SQL, booksRail } from '#test/books.ts';
import { testDatabase } from '#test/database.ts';
import { trips } from '#test/statements.ts';
import { reconcileRail } from './reconcile.ts';

const database = await testDatabase(BOOKS_SQL);
const { db, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});

const HOUR = 3_600_000;
const clock = createClock(400 * 24 * HOUR);

/** Runs once; answers how many windows each side read, and how many answers of the database it waited for besides. */
async function reconcile() {
  const before = trips.length;
  const log = createLog('silent');
  await reconcileRail({ db, clock, log }, booksRail(db), { signal: new AbortController().signal });
  const asked = trips.slice(before);
  const lists = asked.filter((text) => text.includes('from books'));
  return { windows: lists.length / 2, asked: asked.length - lists.length };
}

test('where nothing has happened a run asks no more than it has to, and little for each further window', async () => {
  await reconcile();
  clock.advance(HOUR);
  const hour = await reconcile();
  expect(hour.windows).toBe(1);
  expect(hour.asked).toBeLessThanOrEqual(26);
  clock.advance(20 * HOUR);
  expect(await reconcile()).toEqual(hour);
  // Two windows that are new, and the last days once more.
  clock.advance(47 * HOUR);
  const longer = await reconcile();
  expect(longer.windows).toBeGreaterThan(4);
  // Of each side: to find the day, to begin it, to have read it, and four to take it over.
  const more = longer.windows - hour.windows;
  expect(longer.asked - hour.asked).toBeLessThanOrEqual(more * 2 * 7);
});
