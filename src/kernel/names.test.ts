import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedName, keptName } from './names.ts';

test('a name is kept composed and without blanks around it', () => {
  expect(keptName(' Pro\u0308d\u00a0')).toBe('Pröd');
  for (const name of [
    'Ada Lovelace',
    "Siti N. O'Brien",
    '山田 太郎',
    'علی',
    'Nguyễn Văn Đức',
    'נועה',
    '3',
    '+1',
  ])
    expect(keptName(name)).toBe(name);
});

test.each([
  ['', 'nothing'],
  ['  \u00a0', 'blanks'],
  ['\u200b', 'a zero width space'],
  ['Prod\u200b', 'one behind a name'],
  ['\u2800', 'a blank of Braille'],
  ['\u3164', 'a Hangul filler'],
  ['\uffa0', 'a half of one'],
  ['\u202eadmin', 'an order to turn round'],
  ['a\u2066b', 'an isolate'],
  ['so\u00adft', 'a soft hyphen'],
  ['\u{e0041}', 'a tag'],
  ['a\u034fb', 'a joiner of graphemes'],
  ['a\u200db', 'a joiner between letters that need none'],
  ['a\ufe0f', 'a variation of a letter'],
  ['\u0301', 'a mark on nothing'],
  ['two\nlines', 'a line of its own'],
  ['two\u2028lines', 'another'],
  ['a\0b', 'a control'],
])('%j is no name: it is %s', (written) => {
  expect(keptName(written)).toBeUndefined();
});

test('marks that cannot be seen stay where they are spelling', () => {
  for (const name of [
    'می\u200cخواهم',
    'क्\u200dष',
    'ශ්\u200dරී',
    '👩\u200d🚀',
    '❤\ufe0f',
    '👨🏽\u200d💻',
    '1\ufe0f\u20e3',
  ])
    expect(keptName(name), name).toBe(name.normalize('NFC'));
  for (const name of ['می\u200c', '\u200cمی', 'a\u200cb', '👩\u200da'])
    expect(keptName(name), name).toBeUndefined();
});

test('names that look alike are one when they are compared', () => {
  const prod = ['Prod', 'Prod ', 'prod', 'Prod\u200b', 'PROD', 'Ｐrod', ' pr\u00adod'];
  expect(new Set(prod.map(foldedName))).toEqual(new Set(['prod']));
  expect(foldedName('Pro\u0308d  A')).toBe(foldedName('PRÖD a'));
  expect(foldedName('Prod 1')).not.toBe(foldedName('Prod 2'));
});

test('what is kept is kept again as it is, and folding is done once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (written) => {
      const name = keptName(written);
      if (name === undefined) return;
      expect(keptName(name)).toBe(name);
      expect(foldedName(foldedName(name))).toBe(foldedName(name));
      expect(foldedName(name)).not.toBe('');
    }),
    { numRuns: 2000 },
  );
});
