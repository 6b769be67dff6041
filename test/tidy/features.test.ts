import { expect, test } from 'vitest';
import { inFeature, product, type Source } from './sources.ts';

/** Rules for every feature. An exception that no longer applies is a failure too. */

const own = product.filter(({ path }) => inFeature(path));
const named = (pattern: RegExp) => (source: Source) =>
  pattern.test(inFeature(source.path)?.file ?? '');
const paths = (files: readonly Source[]) => files.map(({ path }) => path);

test('endpoints are declared in routes.ts and in files whose names end in -routes', () => {
  const declaring = own.filter(({ text }) => /'(GET|POST|PUT|PATCH|DELETE) \//.test(text));
  expect(paths(declaring.filter((file) => !isRoutes(file)))).toEqual([]);
  expect(paths(own.filter(isRoutes).filter((file) => !declaring.includes(file)))).toEqual([]);
});

test('SQL is in store.ts and in files whose names end in -store', () => {
  const asking = own.filter(({ text }) => SQL.some((sign) => sign.test(text)));
  expect(paths(asking.filter((file) => !isStore(file)))).toEqual([]);
  expect(paths(own.filter(isStore).filter((file) => !asking.includes(file)))).toEqual([]);
});

const isRoutes = named(/^(.+[-/])?routes$/);
const isStore = named(/^(.+[-/])?store$/);
/** Statements of the query builder, and calls that run hand-written ones. */
const SQL = [
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|executeQuery)\(/,
  /import [^;]*\brun\b[^;]*from '#kernel\/db\/db\.ts'/,
  /import [^;]*\blookedPage\b[^;]*from '#kernel\/db\/looked-page\.ts'/,
  /import [^;]*\bsql\b[^;]*from 'kysely'/,
];
