import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { run } from './db.ts';
import { type KeysetList, type KeysetRequest, pageOfKeysetList } from './keyset-list.ts';

const h = await harness();
const LIST: KeysetList = { table: 'own_things', number: 'id' };

for (const text of [
  `create table own_things (
     id integer generated always as identity primary key, user_id integer not null,
     status text not null, created_at timestamptz not null)`,
  'create index on own_things (user_id, id desc)',
  'create index on own_things (user_id, created_at, id)',
  'create index on own_things (user_id, status, created_at desc, id desc)',
])
  await run(h.db, text, []);

interface Thing {
  readonly id: number;
  readonly created_at: string;
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Rows whose times are not in the order of their numbers, as of transactions that began in another order. */
async function things(): Promise<number> {
  const { user_id } = await h.user();
  for (const [second, status] of [
    [1, 'A'],
    [5, 'B'],
    [3, 'A'],
    [5, 'A'],
    [2, 'B'],
    [4, 'A'],
  ] as const)
    await run(h.db, 'insert into own_things (user_id, status, created_at) values ($1, $2, $3)', [
      user_id,
      status,
      at(second),
    ]);
  await run(h.db, `insert into own_things (user_id, status, created_at) values ($1, 'A', now())`, [
    (await h.user()).user_id,
  ]);
  return user_id;
}

const seconds = (rows: readonly Thing[]) =>
  rows.map(({ created_at }) => new Date(created_at).getUTCSeconds());
const page = (owner: number, wish: Partial<KeysetRequest> = {}) =>
  pageOfKeysetList<Thing>(h.db, LIST, owner, { limit: 100, ...wish });

test('a list goes by time, and pages of any size miss and repeat no row', async () => {
  const owner = await things();
  const whole = await page(owner);
  expect(seconds(whole)).toEqual([5, 5, 4, 3, 2, 1]);
  for (const limit of [1, 2, 3, 4]) {
    const seen: Thing[] = [];
    for (let before: number | undefined; ; before = seen.at(-1)?.id) {
      const rows = await page(owner, { limit, before });
      if (rows.length === 0) break;
      seen.push(...rows);
    }
    expect(seen).toEqual(whole);
  }
});

test('a filter by time finds each row of that time, whatever its number is', async () => {
  const owner = await things();
  expect(seconds(await page(owner, { created_from: at(3) }))).toEqual([5, 5, 4, 3]);
  expect(seconds(await page(owner, { created_to: at(3) }))).toEqual([3, 2, 1]);
  expect(seconds(await page(owner, { created_from: at(2), created_to: at(4) }))).toEqual([4, 3, 2]);
  const some = { status: 'A', created_from: at(2) };
  expect(seconds(await page(owner, some))).toEqual([5, 4, 3]);
});

test('a page before a number of no row of the owner begins at the next lower one', async () => {
  const owner = await things();
  const [highest] = (await page(owner)).map(({ id }) => id).toSorted((a, b) => b - a);
  const before = await page(owner, { before: (highest ?? 0) + 1 });
  expect(before[0]?.id).toBe(highest);
  expect(await page(owner, { before: 1 })).toEqual([]);
});
