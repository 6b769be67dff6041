import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { columnsOf, unnested } from './columns.ts';
import { openDatabase, run } from './db.ts';

const database = await testDatabase();
const { db, close } = openDatabase(database.url, { max: 1 });
afterAll(async () => {
  await close();
  await database.close();
});

const COLUMNS = {
  words: 'text',
  whole: 'bigint',
  exact: 'numeric',
  small: 'smallint',
  is_so: 'boolean',
  id: 'uuid',
  at: 'timestamptz',
  data: 'json',
} as const;

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
/** All that text can hold: quotes, commas, braces, line breaks, the word NULL; but for the one that no text has. */
const words = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'NULL', 'null', '{}', '{"a"}', '\\', '"', ',', '\n', ' '),
  )
  .filter((text) => !text.includes('\0') && text.isWellFormed());
const row = fc.record({
  words: maybe(words),
  whole: maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  exact: maybe(fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n })),
  small: maybe(fc.integer({ min: -32768, max: 32767 })),
  is_so: maybe(fc.boolean()),
  id: maybe(fc.uuid()),
  at: maybe(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
  data: words.map((text) => JSON.stringify({ text })),
});

test('what is handed over as columns is what the database reads, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const text = `select words, whole::text, exact::text, small::text, is_so, id::text,
        (extract(epoch from at) * 1000)::bigint::text as at, data::text from ${unnested(COLUMNS)}`;
      const shown = rows.map(({ whole, exact, small, at, ...rest }) => ({
        ...rest,
        whole: whole?.toString() ?? null,
        exact: exact?.toString() ?? null,
        small: small?.toString() ?? null,
        at: at?.getTime().toString() ?? null,
      }));
      expect(await run(db, text, columnsOf(COLUMNS, rows))).toEqual(shown);
    }),
  );
});

test('what is left out is nothing, and what has no one text is refused', () => {
  expect(columnsOf({ words: 'text', small: 'smallint' }, [{ small: 1 }, {}])).toEqual([
    '{NULL,NULL}',
    '{1,NULL}',
  ]);
  for (const words of [Buffer.from('a'), ['a'], {}])
    expect(() => columnsOf({ words: 'text' }, [{ words }])).toThrow('one text');
});
