import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWithin, type JsonBounds, repeatedName } from './json-scan.ts';
import { studied } from './wire.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const isWithin = (text: Uint8Array, extent: JsonBounds) => countWithin(text, extent) !== undefined;
const flawOf = (value: unknown, extent: JsonBounds) => studied(value, extent).flaw;

/** Counted the long way round. */
function extentOf(value: unknown): JsonBounds {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(extentOf);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: inner.reduce((sum, { values }) => sum + values, 1),
  };
}

/** Texts full of what has a meaning outside of them, and names alike. */
const awkward = fc.string({
  unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', ' ', '\n', 'a', 'é', '😀'),
  maxLength: 8,
});
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, -1.5e300, '', [], {}),
    awkward,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 5 }),
  ),
})).value;
const indent = fc.constantFrom(0, 1, 7, '\t', '\n ');
/** Close to what documents have, so that both answers come up. */
const limits = fc.record({ depth: fc.nat({ max: 5 }), values: fc.integer({ min: 1, max: 30 }) });

test('a document is within bounds by its bytes exactly where it is by its values', () => {
  fc.assert(
    fc.property(document, indent, limits, (value, space, { depth, values }) => {
      const extent = extentOf(value);
      const fits = extent.depth <= depth && extent.values <= values;
      const text = JSON.stringify(value, null, space);
      expect(isWithin(bytes(` ${text}\r\n`), { depth, values })).toBe(fits);
      expect(flawOf(JSON.parse(text), { depth, values }) !== 'extent').toBe(fits);
    }),
    { numRuns: 2000 },
  );
});

test('a document is within its own extent, and not within anything less', () => {
  fc.assert(
    fc.property(document, (value) => {
      const [text, { depth, values }] = [bytes(JSON.stringify(value)), extentOf(value)];
      expect(isWithin(text, { depth, values })).toBe(true);
      expect(isWithin(text, { depth, values: values - 1 })).toBe(false);
      if (depth > 0) expect(isWithin(text, { depth: depth - 1, values })).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('of whatever else is sent no more is within bounds than a parser would make of it', () => {
  const scraps = fc
    .array(fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', ' ', '1', 'null', '"a"', 'é'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(scraps, fc.string()), limits, (text, extent) => {
      const within = isWithin(bytes(text), extent);
      const parsed = parse(text);
      // A name that is given twice is one value less than was read.
      if (within && parsed) expect(flawOf(parsed.value, extent)).not.toBe('extent');
    }),
    { numRuns: 3000 },
  );
});

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Two fields of the same name, the second perhaps in escapes. */
const escaped = (name: string) =>
  `"${[...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

test('a name that stands twice in one object is found, wherever and however it is written', () => {
  const name = fc.stringMatching(/^[a-z"\\]{1,6}$/);
  fc.assert(
    fc.property(document, document, name, fc.boolean(), (one, other, twice, isEscaped) => {
      const second = isEscaped ? escaped(twice) : JSON.stringify(twice);
      const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
      const text = `[{"deep":{${JSON.stringify(twice)}:${a},${second} : ${b}}}]`;
      const extent = { depth: 100, values: 1000 };
      expect(countWithin(bytes(text), extent)).toBeGreaterThan(
        studied(JSON.parse(text), extent).count,
      );
      expect(repeatedName(text)).toBe(twice);
    }),
    { numRuns: 500 },
  );
});

test('a name that stands in two objects, or as a text, stands nowhere twice', () => {
  fc.assert(
    fc.property(document, indent, (value, space) => {
      const text = JSON.stringify([value, { a: 'a', b: { a: value } }], null, space);
      const extent = { depth: 100, values: 1000 };
      expect(countWithin(bytes(text), extent)).toBe(studied(JSON.parse(text), extent).count);
      expect(repeatedName(text)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test('no byte is looked at twice, however the text is made', () => {
  for (const text of [
    '[[[[',
    '{"a":{"b":"c"}}',
    '"\\"\\"\\"',
    '"\\\\",[]',
    ' \n[1 , 2]',
    '"never',
  ]) {
    const looks = new Map<string, number>();
    const watched = new Proxy(bytes(text), {
      get(target, name) {
        looks.set(String(name), (looks.get(String(name)) ?? 0) + 1);
        return Reflect.get(target, name);
      },
    });
    isWithin(watched, { depth: 100, values: 100 });
    const twice = [...looks].filter(([name, times]) => /^\d+$/.test(name) && times > 1);
    expect(twice, text).toEqual([]);
  }
});

test('it stops where a document is beyond use, however long that goes on', () => {
  let looks = 0;
  const endless = new Proxy(bytes('['.repeat(100_000)), {
    get(target, name) {
      looks += 1;
      return Reflect.get(target, name);
    },
  });
  expect(isWithin(endless, { depth: 24, values: 5000 })).toBe(false);
  expect(looks).toBeLessThan(100);
});
