import { expect, test } from 'vitest';
import { type MetadataChange, mergedMetadata, metadataFault } from './caller-names.ts';

/** The same numbers in every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const KEYS = Array.from({ length: 26 }, (_, n) => `key_${n}`);

test('any changes in a row leave what the last one says of each key, within the limits', () => {
  const random = randomOf(7);
  for (let round = 0; round < 300; round += 1) {
    let metadata: Readonly<Record<string, string>> = {};
    const expected = new Map<string, string>();
    for (let step = 0; step < 12; step += 1) {
      const change: MetadataChange = Object.fromEntries(
        Array.from({ length: random(8) }, () => [
          KEYS[random(KEYS.length)],
          random(3) === 0 ? null : 'é'.repeat(random(501)),
        ]),
      );
      const before = metadata;
      try {
        metadata = mergedMetadata(before, change);
      } catch {
        const after = { ...before, ...change };
        const texts = Object.entries(after).filter(([, text]) => text !== null);
        const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(texts)));
        expect(texts.length > 20 || bytes > 8192).toBe(true);
        continue;
      }
      for (const [key, text] of Object.entries(change))
        if (text === null) expected.delete(key);
        else expected.set(key, text);
      expect(metadata).toEqual(Object.fromEntries(expected));
      expect(Object.keys(metadata).length).toBeLessThanOrEqual(20);
      expect(Buffer.byteLength(JSON.stringify(metadata))).toBeLessThanOrEqual(8192);
      // The same change again changes nothing.
      expect(mergedMetadata(metadata, change)).toEqual(metadata);
    }
  }
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
