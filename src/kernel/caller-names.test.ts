import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Metadata,
  type MetadataChange,
  mergedMetadata,
  metadataFault,
} from './caller-names.ts';

const KEYS = Array.from({ length: 26 }, (_, n) => `key_${n}`);
const texts = fc.oneof(
  fc.constant(''),
  fc.constantFrom('x', 'é', '😀').map((one) => one.repeat(500)),
);
const changes = fc.array(
  fc.dictionary(fc.constantFrom(...KEYS), fc.option(texts), { maxKeys: 12 }),
  { maxLength: 15 },
);
const without = (all: MetadataChange) =>
  Object.fromEntries(Object.entries(all).filter(([, text]) => text !== null));
const isTooMuch = (metadata: object): boolean =>
  Object.keys(metadata).length > 20 || Buffer.byteLength(JSON.stringify(metadata)) > 8192;

test('any changes in a row leave what the last one says of each key, within the limits', () => {
  fc.assert(
    fc.property(changes, (all) => {
      let metadata: Metadata = {};
      for (const change of all) {
        const expected = without({ ...metadata, ...change });
        if (isTooMuch(expected)) {
          expect(() => mergedMetadata(metadata, change)).toThrow('metadata must have at most');
          continue;
        }
        metadata = mergedMetadata(metadata, change);
        expect(metadata).toEqual(expected);
        // The same change again changes nothing.
        expect(mergedMetadata(metadata, change)).toEqual(metadata);
      }
    }),
  );
});

test.each([
  [{}, true],
  [{ a: '' }, true],
  [{ 'A-z_0.9': 'é'.repeat(500) }, true],
  [{ a: '😀'.repeat(500) }, true],
  [{ a: 'x'.repeat(501) }, false],
  [{ a: 1 }, false],
  [{ a: null }, false],
  [{ a: { b: 'c' } }, false],
  [{ a: 'two\nlines' }, false],
  [{ '': 'x' }, false],
  [{ 'a b': 'x' }, false],
  [{ [`${'k'.repeat(41)}`]: 'x' }, false],
  [Object.fromEntries(KEYS.slice(0, 20).map((key) => [key, 'x'])), true],
  [Object.fromEntries(KEYS.slice(0, 21).map((key) => [key, 'x'])), false],
  [Object.fromEntries(KEYS.slice(0, 20).map((key) => [key, 'x'.repeat(450)])), false],
  [['a'], false],
  ['a', false],
  [null, false],
])('%j is metadata or not: %s', (value, isGood) => {
  expect(metadataFault(value, { nulls: false }) === undefined).toBe(isGood);
});

test('a change removes more keys than a thing may have', () => {
  const before = Object.fromEntries(KEYS.slice(0, 20).map((key) => [key, 'x']));
  const change = Object.fromEntries(KEYS.map((key) => [key, null]));
  expect(metadataFault(change, { nulls: true })).toBeUndefined();
  expect(mergedMetadata(before, change)).toEqual({});
});
