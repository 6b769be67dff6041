import { expect, test } from 'vitest';
import { packaged, product, sources } from './sources.ts';

/** One name, one meaning; and what a reader would read twice. */

const EXPORT = /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

test('no two files of the product export the same name', () => {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of product)
    for (const [, name = ''] of text.matchAll(EXPORT))
      places.set(name, (places.get(name) ?? new Set()).add(path));
  const twice = [...places].filter(([, paths]) => paths.size > 1);
  expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(' ')}`)).toEqual([]);
});

test('an object literal lists its properties, and wraps none of them in a literal of its own', () => {
  const wrapped = sources.filter(({ text }) => /^\s*\.\.\.\{ /m.test(text));
  expect(wrapped.map(({ path }) => path)).toEqual([]);
});

/** Idioms for which the field has a noun: how often they may stand in the product and packages, which may only fall. */
const IDIOMS: Readonly<Record<string, number>> = {
  told: 34,
  whoever: 5,
  anew: 4,
  nobody: 13,
};

test('words of the dialect become fewer', () => {
  const counted: Readonly<Record<string, number>> = Object.fromEntries(
    Object.keys(IDIOMS).map((word) => {
      const pattern = new RegExp(`\\b${word}\\b`, 'gi');
      const texts = [...product, ...packaged];
      return [word, texts.reduce((n, { text }) => n + (text.match(pattern)?.length ?? 0), 0)];
    }),
  );
  const risen = Object.entries(counted).filter(([word, times]) => times > (IDIOMS[word] ?? 0));
  expect(risen).toEqual([]);
});
