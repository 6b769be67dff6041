import { afterAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { BOOKS_SQL, type BooksOptions, booksRail, erase, write } from '#test/books.ts';
import { testDatabase } from '#test/database.ts';
import { reconcileRail } from './reconcile.ts';

const database = await testDatabase(BOOKS_SQL);
const { db, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A world of its own for each seed: a rail, a clock, and dice that always fall the same. */
function world(seed: number) {
  const clock = createClock(seed * 400 * 24 * HOUR);
  const log = createLog('silent');
  const name = `rail-${seed}`;
  let state = seed;
  /** Below `n`. */
  const dice = (n: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
  const reconcile = (options: BooksOptions = {}, signal = new AbortController().signal) =>
    reconcileRail({ db, clock, log }, booksRail(db, { name, pageSize: 7, ...options }), {
      signal,
      again: true,
    });
  const breaks = (state = 'OPEN') =>
    run<{ reference: string; cause: string }>(
      db,
      `select reference, cause, our_units, their_units from reconciliation_breaks
       where rail = $1 and state = $2 order by reference, cause, our_units, their_units`,
      [name, state],
    );
  return { clock, dice, reconcile, breaks, name };
}

type World = ReturnType<typeof world>;

interface Expected {
  readonly reference: string;
  readonly cause: string;
  readonly our_units: bigint | null;
  readonly their_units: bigint | null;
}

const WAYS = [
  'right',
  'right',
  'right',
  'lost',
  'ours lost',
  'doubled',
  'ours doubled',
  'altered',
  'late',
  'dated',
] as const;

/** Fills both books; answers what is different between them, and how that is put right. */
async function fill({ clock, dice, name }: World, count: number) {
  const differences: Expected[] = [];
  const cures: (() => Promise<void>)[] = [];
  const lateOnes: (() => Promise<void>)[] = [];
  const start = clock.now().getTime();
  for (let i = 0; i < count; i += 1) {
    const reference = `${name}-${String(i).padStart(3, '0')}`;
    const units = BigInt(1 + dice(1_000_000)) * (dice(4) === 0 ? -1n : 1n);
    const at = new Date(start - HOUR - dice(19 * HOUR));
    const ours = { line: reference, reference, units, at };
    const theirs = {
      ...ours,
      line: `their ${reference}`,
      at: new Date(at.getTime() + dice(MINUTE)),
    };
    const twin = (entry: typeof ours) => ({ ...entry, line: `${entry.line} twin` });
    const differs = (cause: string, our_units: bigint | null, their_units: bigint | null) =>
      differences.push({ reference, cause, our_units, their_units });
    const way = WAYS[dice(WAYS.length)] ?? 'right';
    if (way !== 'ours lost') await write(db, 'OURS', ours);
    if (way === 'right' || way.startsWith('ours')) await write(db, 'THEIRS', theirs);
    if (way === 'ours lost') {
      differs('MISSING_IN_OUR_BOOKS', null, units);
      cures.push(() => write(db, 'OURS', ours));
    } else if (way === 'lost') {
      differs('MISSING_AT_PROVIDER', units, null);
      cures.push(() => write(db, 'THEIRS', theirs));
    } else if (way === 'ours doubled') {
      await write(db, 'OURS', twin(ours));
      differs('DOUBLED_IN_OUR_BOOKS', units, null);
      cures.push(() => erase(db, 'OURS', twin(ours).line));
    } else if (way === 'doubled') {
      await write(db, 'THEIRS', theirs, twin(theirs));
      differs('DOUBLED_AT_PROVIDER', null, units);
      cures.push(() => erase(db, 'THEIRS', theirs.line));
    } else if (way === 'altered') {
      await write(db, 'THEIRS', { ...theirs, units: units + 1n });
      differs('AMOUNT_DIFFERS', units, units + 1n);
      cures.push(() => write(db, 'THEIRS', theirs));
    } else if (way === 'late') {
      lateOnes.push(() => write(db, 'THEIRS', theirs));
    } else if (way === 'dated') {
      const early = { ...ours, line: `${reference} early`, at: new Date(start - 22 * HOUR) };
      await erase(db, 'OURS', reference);
      await write(db, 'OURS', early);
      await write(db, 'THEIRS', { ...theirs, at: new Date(start + 40 * HOUR) });
      differs('DAY_DIFFERS', units, units);
      cures.push(() => write(db, 'THEIRS', { ...theirs, at: early.at }));
    }
  }
  return { differences, cures, lateOnes };
}

const inOrder = (all: readonly Expected[]) =>
  all.toSorted((a, b) => (a.reference < b.reference ? -1 : 1));

test.each([1, 2, 3])('breaks are exactly the differences between the books (%i)', async (seed) => {
  const here = world(seed);
  const { clock, reconcile, breaks } = here;
  const { differences, cures, lateOnes } = await fill(here, 60);
  expect(new Set(differences.map(({ cause }) => cause)).size).toBeGreaterThan(3);
  await reconcile();
  for (const comes of lateOnes) await comes();
  clock.advance(3 * 24 * HOUR);
  await reconcile();
  expect(await breaks()).toEqual(inOrder(differences));

  const everything = () =>
    run(
      db,
      `select b.*, (select jsonb_agg(l order by side, line) from reconciliation_lines l
         where l.rail = b.rail and l.reference = b.reference) as lines
       from reconciliation_breaks b where rail = $1 order by break_id`,
      [here.name],
    );
  const before = await everything();
  await reconcile();
  expect(await everything()).toEqual(before);

  for (const cure of cures) await cure();
  await reconcile();
  expect(await breaks()).toEqual([]);
  expect(await breaks('RESOLVED')).toHaveLength(before.length);
});
