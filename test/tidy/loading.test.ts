import { expect, test } from 'vitest';
import { product } from './sources.ts';

/** Loaded by a call, and not with the importing file. */
const late = [
  ...new Set(
    product.flatMap(({ text }) =>
      [...text.matchAll(/\bimport\('([^'.#][^']*)'\)/g)].map(([, name = '']) => name),
    ),
  ),
];
const early = (text: string) =>
  [...text.matchAll(/^import (?!type )[^;]*?'([^']+)';$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => late.some((one) => name === one || name.startsWith(`${one}/`)));

test('a library with a lazy import has no other import', () => {
  expect(late).toEqual(
    expect.arrayContaining(['xrpl', 'ws', '@emurgo/cardano-serialization-lib-nodejs']),
  );
  const found = product.flatMap(({ path, text }) => early(text).map((name) => `${path}: ${name}`));
  expect(found).toEqual([]);
  expect(early("import {\n  Client,\n} from 'xrpl';")).toEqual(['xrpl']);
});
