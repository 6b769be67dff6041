import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestOf, nearestWord, WORD_MAX } from './spelling.ts';

const NAMES = ['amount', 'currency_code', 'expiry_date', 'limit', 'user_id', 'to'];

test('a slip of the pen leads to the name that was meant', () => {
  expect(nearestOf('amout', NAMES)).toBe('amount');
  expect(nearestOf('ammount', NAMES)).toBe('amount');
  expect(nearestOf('currencyCode', NAMES)).toBe('currency_code');
  expect(nearestOf('expiry-date', NAMES)).toBe('expiry_date');
  expect(nearestOf('limti', NAMES)).toBe('limit');
  expect(nearestOf('userid', NAMES)).toBe('user_id');
});

test('what is another word, or longer than any name, leads nowhere', () => {
  for (const other of ['note', 'x', 'password', '', 'amount'.repeat(1000)])
    expect(nearestOf(other, NAMES)).toBeUndefined();
});

/** Damerau and Levenshtein, as textbooks have it: the whole table, and no early end. */
function wholeTable(a: string, b: string): number {
  const table = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (up: number, left: number) => (up === 0 ? row : table[i - up])?.[j - left] ?? 0;
      const least = Math.min(at(1, 0), at(0, 1)) + 1;
      const changed = at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(least, changed, isSwap ? at(2, 2) + 1 : changed));
    }
    table.push(row);
  }
  return table[a.length]?.[b.length] ?? 0;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: WORD_MAX + 2 });

test('the nearest word is the one that the whole table finds, and the first of those as near', () => {
  fc.assert(
    fc.property(
      word,
      fc.array(word, { maxLength: 6 }),
      fc.integer({ min: 0, max: 14 }),
      (written, known, most) => {
        const within = known
          .filter((one) => Math.max(one.length, written.length) <= WORD_MAX)
          .map((one) => ({ one, apart: wholeTable(written, one) }))
          .filter(({ apart }) => apart <= most)
          .sort((x, y) => x.apart - y.apart);
        expect(nearestWord(written, known, most)).toBe(within[0]?.one);
      },
    ),
    { numRuns: 2000 },
  );
});
