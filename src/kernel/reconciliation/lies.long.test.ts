// Long: a provider fails and lies in every way.

import { afterAll, beforeEach, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { done, type Outcome, refused } from '#kernel/effects/outcome.ts';
import { createLog } from '#kernel/log.ts';
import { away, BOOKS_SQL, booksRail, write } from '#test/books.ts';
import { testDatabase } from '#test/database.ts';
import { railProgress } from './break-store.ts';
import type { BookLine, BookPage, BookWindow } from './rail.ts';
import { reconcileRail } from './reconcile.ts';

const database = await testDatabase(BOOKS_SQL);
const { db, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});
const clock = createClock();
const log = createLog('silent');
const HOUR = 3_600_000;

type Answer = Outcome<BookPage> | undefined;
type Says = (window: BookWindow, after: string | undefined) => Answer | Promise<Answer>;
let says: Says = () => undefined;
const rail = booksRail(db, {
  pageSize: 2,
  before: async (side, window, after) => (side === 'THEIRS' ? says(window, after) : undefined),
});
const reconcile = (signal = new AbortController().signal) =>
  reconcileRail({ db, clock, log }, rail, { signal, again: true });
const breaks = () =>
  run<{ reference: string; cause: string; state: string }>(
    db,
    'select reference, cause, state from reconciliation_breaks order by break_id',
    [],
  );
const standing = async () => (await railProgress(db, ['test']))[0];

const lost = { line: 'lost', units: 500n, at: new Date(clock.now().getTime() - 5 * HOUR) };
await write(db, 'OURS', lost, { ...lost, line: 'found' });
await write(db, 'THEIRS', { ...lost, line: 'found' });
await reconcile();
const MISSING = { reference: 'lost', cause: 'MISSING_AT_PROVIDER', state: 'OPEN' };

beforeEach(async () => {
  says = () => undefined;
  await reconcile();
  expect(await breaks()).toEqual([MISSING]);
});

test('while a provider is away, nothing is a break, and where comparing stands is said', async () => {
  const before = await standing();
  expect(before).toMatchObject({ failing_since: null, failure: null });
  clock.advance(8 * HOUR);
  const at = new Date(clock.now().getTime() - 6 * HOUR);
  await write(db, 'OURS', { line: 'unseen', units: 1n, at });
  says = away;
  await reconcile();
  expect(await breaks()).toEqual([MISSING]);
  const during = await standing();
  expect(during?.compared_until).toBe(before?.compared_until);
  expect(during?.failing_since).not.toBeNull();
  expect(during?.failure).toBe('THEIRS: ECONNREFUSED');
  await write(db, 'THEIRS', { line: 'unseen', units: 1n, at });
  says = () => undefined;
  await reconcile();
  expect(await breaks()).toEqual([MISSING]);
  expect(await standing()).toMatchObject({ failing_since: null, failure: null });
});

test('a provider that comes back in the middle is gone on with where it stopped', async () => {
  const asked: (string | undefined)[] = [];
  clock.advance(HOUR);
  const at = new Date(clock.now().getTime() - HOUR / 2);
  for (const line of ['p', 'q', 'r', 's', 't']) {
    await write(db, 'OURS', { line, units: 2n, at });
    await write(db, 'THEIRS', { line, units: 2n, at });
  }
  says = (_, after) => {
    asked.push(after);
    return asked.length === 2 ? away() : undefined;
  };
  await reconcile();
  await reconcile();
  expect(asked[1]).toBeDefined();
  expect(asked[2]).toBe(asked[1]);
  expect(asked.slice(2, 4)).not.toContain(undefined);
});

const line = (window: BookWindow, more: object = {}): BookLine => ({
  line: 'made up',
  reference: 'lost',
  kind: 'payment',
  asset: 'USD',
  units: 500n,
  at: new Date(window.to.getTime() - 1),
  ...more,
});
const page = (lines: unknown, next?: unknown) =>
  done({ lines, ...(next === undefined ? {} : { next }) } as BookPage);
let pages = 0;

const LIES: Readonly<Record<string, Says>> = {
  'no lines at all': () => page('none'),
  'a line of nothing': () => page([{}]),
  'a line that is none': (w) => page([line(w, { line: '' })]),
  'a name without end': (w) => page([line(w, { reference: 'x'.repeat(201) })]),
  'what no database keeps': (w) => page([line(w, { reference: 'a\0b' })]),
  'half a sign': (w) => page([line(w, { reference: '\ud800' })]),
  'no asset': (w) => page([line(w, { asset: 'GOLD' })]),
  'no kind': (w) => page([line(w, { kind: 'Payment; drop' })]),
  'a float': (w) => page([line(w, { units: 1e30 })]),
  'beyond all sense': (w) => page([line(w, { units: 10n ** 30n })]),
  'less than all sense': (w) => page([line(w, { units: -(10n ** 30n) })]),
  'what is before the window': (w) => page([line(w, { at: new Date(w.from.getTime() - 1) })]),
  'what is after it': (w) => page([line(w, { at: w.to })]),
  'no time': (w) => page([line(w, { at: new Date('never') })]),
  'a page without end': (w) =>
    page(Array.from({ length: 1001 }, (_, i) => line(w, { line: `made up ${i}` }))),
  'two ways in one page': (w) => page([line(w), line(w, { units: 7n })]),
  'the same cursor again': (w) => page([line(w)], 'again'),
  'a cursor that is none': (w) => page([line(w)], ''),
  'a cursor without end': (w) => page([line(w)], 'x'.repeat(1001)),
  'a round of cursors': (w, after) =>
    page([line(w, { line: `made up ${after === 'a'}` })], after === 'a' ? 'b' : 'a'),
  'pages without end': () => {
    pages += 1;
    return page([], `page ${pages}`);
  },
  'the truth, and then garbage': (w, after) =>
    after === undefined ? page([line(w)], 'more') : page([{}]),
  'a refusal': () => refused('GONE', 'No such account'),
};

test.each(Object.entries(LIES))('%s is refused, and settles nothing', async (_, lie) => {
  const before = await standing();
  clock.advance(HOUR);
  says = lie;
  await reconcile();
  expect(await breaks()).toEqual([MISSING]);
  const after = await standing();
  expect(after?.compared_until).toBe(before?.compared_until);
  expect(after?.failure).toMatch(/^THEIRS: ./);
  expect(await run(db, 'select from reconciliation_told', [])).toEqual([]);
});

test('what throws is as good as away', async () => {
  says = () => {
    throw new TypeError('lines is not iterable');
  };
  clock.advance(HOUR);
  await reconcile();
  expect((await standing())?.failure).toBe('THEIRS: TypeError: lines is not iterable');
});

test('a process that is told to stop waits for no provider, and blames none', async () => {
  clock.advance(HOUR);
  const stopping = new AbortController();
  says = () => {
    stopping.abort();
    return new Promise(() => undefined);
  };
  const before = await standing();
  await reconcile(stopping.signal);
  expect(await standing()).toEqual({ ...before, ours_until: expect.any(String) });
});

test('what changes again and again has a history with an end', async () => {
  const at = new Date(clock.now().getTime() - HOUR / 2);
  const fickle = { line: 'fickle', units: 1n, at };
  await write(db, 'OURS', fickle);
  for (let i = 2; i < 60; i += 1) {
    await write(db, 'THEIRS', { ...fickle, units: BigInt(i) });
    clock.advance(1000);
    await reconcileRail({ db, clock, log }, rail, { signal: new AbortController().signal });
  }
  const [row] = await run<{ kept: number; has_first: boolean; has_last: boolean }>(
    db,
    `select jsonb_array_length(history) as kept,
       (history -> 0 ->> 'at')::timestamptz = found_at as has_first,
       (history -> -1 ->> 'at')::timestamptz = changed_at as has_last
     from reconciliation_breaks where reference = 'fickle'`,
    [],
  );
  expect(row).toEqual({ kept: 50, has_first: true, has_last: true });
});
