import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import {
  type CountedList,
  countOfCountedList,
  type ListRequest,
  pageOfCountedList,
  SCAN_ROWS_MAX,
} from './counted-list.ts';
import { type Db, run } from './db.ts';

const h = await harness();
const LIST: CountedList = {
  name: 'kept_things',
  facets: ['colour', 'size'],
  references: ['reference'],
};
const DAY = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

await run(
  h.db,
  `create table kept_things (
     id integer generated always as identity primary key, user_id integer not null, ordinal bigint,
     colour text not null, size text not null, reference text not null unique, created_at timestamptz not null,
     unique (user_id, ordinal))`,
  [],
);
for (const text of [
  'create index on kept_things (user_id, colour, size, ordinal)',
  'create index on kept_things (user_id, created_at, ordinal)',
  `create trigger numbered before insert on kept_things
   for each row execute function number_in_lists('kept_things', 'ordinal')`,
  `create trigger counted after insert or delete or update of colour, size on kept_things
   for each row execute function count_in_list('kept_things', 'colour', 'size')`,
])
  await run(h.db, text, []);

interface Thing {
  readonly ordinal: number;
  readonly colour: string;
}

const add = (user_id: number, n: number, colour: string, size = 'L') =>
  run(
    h.db,
    `insert into kept_things (user_id, colour, size, reference, created_at)
     values ($1, $2, $3, $4, $5)`,
    [user_id, colour, size, `${user_id}-${n}`, DAY(n)],
  );

/** Ten a day apart: every third is red, every fourth small. */
async function ten(): Promise<number> {
  const { user_id } = await h.user();
  for (let n = 0; n < 10; n += 1)
    await add(user_id, n, n % 3 === 0 ? 'red' : 'blue', n % 4 === 0 ? 'S' : 'L');
  return user_id;
}

const numbers = async (owner: number, wish: ListRequest, limit = 100, offset = 0) => {
  const page = await pageOfCountedList<Thing>(h.db, { list: LIST, owner }, { limit, offset }, wish);
  return [page.rows.map(({ ordinal }) => ordinal), page.total, page.has_more];
};

test('rows are numbered without a gap, also where many are added at once and some are undone', async () => {
  const { user_id } = await h.user();
  const tries = Array.from({ length: 20 }, (_, n) => add(user_id, n < 15 ? n : 0, 'red'));
  const failed = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected');
  expect(failed).toHaveLength(5);
  const [found] = await numbers(user_id, {});
  expect(found).toEqual(Array.from({ length: 15 }, (_, n) => 15 - n));
  expect(await countOfCountedList(h.db, { list: LIST, owner: user_id })).toBe(15);
  expect(await countOfCountedList(h.db, { list: LIST, owner: user_id }, { colour: 'red' })).toBe(
    15,
  );
});

test('rows that are made at once are dated in the order of their numbers, and no filter by time loses one', async () => {
  const { user_id } = await h.user();
  // Each was dated before it waited for the others, the later ones earlier.
  await Promise.all(Array.from({ length: 20 }, (_, n) => add(user_id, 20 - n, 'red')));
  const { rows } = await pageOfCountedList<Thing & { created_at: string }>(
    h.db,
    { list: LIST, owner: user_id },
    { limit: 100, offset: 0 },
  );
  const times = rows.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
  for (const at of new Set(times)) {
    const [since, n] = await numbers(user_id, { created_from: at });
    expect(since).toEqual(rows.filter((row) => row.created_at >= at).map((row) => row.ordinal));
    expect(n).toBe((since as number[]).length);
    const [until] = await numbers(user_id, { created_to: at });
    expect(until).toEqual(rows.filter((row) => row.created_at <= at).map((row) => row.ordinal));
  }
});

test('pages are newest first, with how many there are and whether there are more', async () => {
  const owner = await ten();
  expect(await numbers(owner, {}, 4)).toEqual([[10, 9, 8, 7], 10, true]);
  expect(await numbers(owner, {}, 4, 6)).toEqual([[4, 3, 2, 1], 10, false]);
  expect(await numbers(owner, {}, 4, 10)).toEqual([[], 10, false]);
  expect(await numbers((await h.user()).user_id, {})).toEqual([[], 0, false]);
});

test('some are picked by any of their values, alone and together, from any place on', async () => {
  const owner = await ten();
  const pick = (facets: ListRequest['facets'], limit?: number, offset?: number) =>
    numbers(owner, { facets: facets ?? {} }, limit, offset);
  expect(await pick({ colour: 'red' })).toEqual([[10, 7, 4, 1], 4, false]);
  expect(await pick({ size: 'S' })).toEqual([[9, 5, 1], 3, false]);
  expect(await pick({ colour: 'red', size: 'S' })).toEqual([[1], 1, false]);
  expect(await pick({ colour: 'green' })).toEqual([[], 0, false]);
  expect(await pick({ colour: undefined }, 2, 1)).toEqual([[9, 8], 10, true]);
  expect(await pick({ colour: 'blue' }, 2, 1)).toEqual([[8, 6], 6, true]);
  expect(await pick({ colour: 'blue' }, 2, 4)).toEqual([[3, 2], 6, false]);
});

test('of a time only its rows are shown and counted, both ends included', async () => {
  const owner = await ten();
  const between = { created_from: DAY(2), created_to: DAY(6) };
  expect(await numbers(owner, between)).toEqual([[7, 6, 5, 4, 3], 5, false]);
  expect(await numbers(owner, between, 2, 2)).toEqual([[5, 4], 5, true]);
  expect(await numbers(owner, { created_to: DAY(-1) })).toEqual([[], 0, false]);
  expect(await numbers(owner, { created_from: DAY(11) })).toEqual([[], 0, false]);
  const red = { facets: { colour: 'red' } };
  expect(await numbers(owner, { ...red, ...between })).toEqual([[7, 4], 2, false]);
  expect(await numbers(owner, { ...red, created_to: DAY(6) }, 1)).toEqual([[7], 3, true]);
});

test('one is found by its reference, where it is also what else is asked for', async () => {
  const [owner, other] = [await ten(), await ten()];
  const reference = `${owner}-4`;
  expect(await numbers(owner, { reference })).toEqual([[5], 1, false]);
  expect(await numbers(other, { reference })).toEqual([[], 0, false]);
  expect(await numbers(owner, { reference, facets: { colour: 'red' } })).toEqual([[], 0, false]);
  expect(await numbers(owner, { reference, created_to: DAY(3) })).toEqual([[], 0, false]);
});

test('what changes is counted as what it has become', async () => {
  const owner = await ten();
  await run(h.db, "update kept_things set colour = 'blue' where user_id = $1 and ordinal = 4", [
    owner,
  ]);
  const pick = (colour: string) => numbers(owner, { facets: { colour } });
  expect(await pick('red')).toEqual([[10, 7, 1], 3, false]);
  expect(await countOfCountedList(h.db, { list: LIST, owner }, { colour: 'blue' })).toBe(7);
});

/** How many blocks of 8 KiB the statements of a page touch. */
async function blocksOf(owner: number, wish: ListRequest, offset = 0): Promise<number> {
  const asked: [string, readonly unknown[]][] = [];
  const recorder = new Proxy(h.db, {
    get: (target, name) =>
      name === 'executeQuery'
        ? (query: { sql: string; parameters: readonly unknown[] }) => {
            asked.push([query.sql, query.parameters]);
            return target.executeQuery(query as never);
          }
        : Reflect.get(target, name),
  });
  await pageOfCountedList(recorder as Db, { list: LIST, owner }, { limit: 20, offset }, wish);
  let blocks = 0;
  for (const [text, values] of asked) {
    const [row] = await run<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      h.db,
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    const plan = row?.['QUERY PLAN'][0].Plan ?? {};
    blocks += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  }
  expect(asked.length).toBeLessThanOrEqual(4);
  return blocks;
}

test('a page of a hundred times as many rows touches no more blocks than twice as many', async () => {
  const [few, many] = [await h.user(), await h.user()];
  await run(h.db, 'alter table kept_things disable trigger user', []);
  for (const [{ user_id }, rows] of [
    [few, 600],
    [many, 60_000],
  ] as const) {
    await run(
      h.db,
      `insert into kept_things (user_id, ordinal, colour, size, reference, created_at)
       select $1, n, (array['red', 'blue', 'green'])[1 + n % 3], (array['S', 'L'])[1 + n % 2],
         format('many-%s-%s', $1::integer, n), timestamptz '2020-01-01' + n * interval '1 minute'
       from generate_series(1, $2) n`,
      [user_id, rows],
    );
    await run(
      h.db,
      `insert into list_counts (list, owner, facet, n)
       select 'kept_things', $1::integer, array[colour, size], count(*) from kept_things where user_id = $1
       group by colour, size union all select 'kept_things', $1, '{}', $2::bigint`,
      [user_id, rows],
    );
  }
  await run(h.db, 'alter table kept_things enable trigger user', []);
  await run(h.db, 'vacuum analyze kept_things', []);
  await run(h.db, 'analyze list_counts', []);
  const at = (minutes: number) => new Date(Date.UTC(2020, 0, 1, 0, minutes)).toISOString();
  const asked: [small: [ListRequest, number?], large: [ListRequest, number?]][] = [
    [[{}], [{}]],
    [
      [{}, 500],
      [{}, 50_000],
    ],
    [[{ facets: { colour: 'red' } }], [{ facets: { colour: 'red' } }]],
    [
      [{ facets: { size: 'S' } }, 100],
      [{ facets: { size: 'S' } }, 100],
    ],
    [
      [{ created_to: at(300) }, 100],
      [{ created_to: at(30_000) }, 10_000],
    ],
    [
      [{ created_from: at(100), created_to: at(300) }],
      [{ created_from: at(9000), created_to: at(40_000) }],
    ],
    [
      [{ created_to: at(590), facets: { colour: 'red' } }],
      [{ created_to: at(59_990), facets: { colour: 'red' } }],
    ],
    [[{ reference: `many-${few.user_id}-7` }], [{ reference: `many-${many.user_id}-7` }]],
  ];
  for (const [small, large] of asked) {
    const [before, after] = [
      await blocksOf(few.user_id, ...small),
      await blocksOf(many.user_id, ...large),
    ];
    expect(after, `${JSON.stringify(large)}: ${before} -> ${after}`).toBeLessThanOrEqual(
      2 * before + 8,
    );
  }
  // Further than anybody walks: then all that there is to say is that there are at least so many.
  const wide = { created_from: at(1), created_to: at(59_999), facets: { size: 'S' } };
  const of = { list: LIST, owner: many.user_id };
  const { total, has_more } = await pageOfCountedList(h.db, of, { limit: 1, offset: 0 }, wide);
  expect([total, has_more]).toEqual([SCAN_ROWS_MAX, true]);
  expect(await blocksOf(many.user_id, wide)).toBeLessThan(1000);
});
