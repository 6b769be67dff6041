import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { AmountInput } from '#kernel/http/declare/schema.ts';
import { canonicalJson } from './canonical.ts';

/** The same value with the fields of every object in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, turned(field)] as const);
  return Object.fromEntries(fields.toReversed());
}

test('the order of fields changes nothing, and whatever else differs does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [a, b] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))];
      expect(canonicalJson(turned(a))).toBe(canonicalJson(a));
      expect(JSON.parse(canonicalJson(a))).toEqual(a);
      expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(a, b));
    }),
    { numRuns: 1000 },
  );
});

test('amounts of one value are one, and texts are not', () => {
  const schema = Type.Object({
    amount: AmountInput,
    rows: Type.Array(Type.Object({ a: AmountInput })),
    note: Type.String(),
  });
  const of = (amount: string, note = '1.0') =>
    canonicalJson({ amount, rows: [{ a: amount }], note }, schema);
  expect(new Set(['10', '10.0', '10.00'].map((amount) => of(amount))).size).toBe(1);
  expect(
    new Set(['10', '1', '100', '10.01', '0.1', '0.10001'].map((amount) => of(amount))).size,
  ).toBe(6);
  expect(of('10', '1.0')).not.toBe(of('10', '1'));
});
