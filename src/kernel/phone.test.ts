import fc from 'fast-check';
import { getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { canonicalPhone } from './phone.ts';

test.each([
  ['+62 812-3456-789', '+628123456789'],
  ['(0812) 3456 789', '+628123456789'],
  ['0812 3456 789', '+628123456789'],
  ['8123456789', '+628123456789'],
  ['628123456789', '+628123456789'],
  ['6208123456789', '+628123456789'],
  ['00 62 812 3456 789', '+628123456789'],
  ['+62 (0)812 3456 789', '+628123456789'],
  ['+62 0812 3456 789', '+628123456789'],
  ['\u202a+62 812\u20113456\u2011789\u202c', '+628123456789'],
  ['\u200e+62 812 3456 789', '+628123456789'],
  ['６２８１２３４５６７８９', '+628123456789'],
  ['٠٨١٢٣٤٥٦٧٨٩', '+628123456789'],
  ['+1 (555) 010-0199', '+15550100199'],
  ['+10000000000', '+10000000000'],
  ['+62812345678901234', undefined],
  ['++62812345678', undefined],
  ['1-800-FLOWERS', undefined],
  ['0812 3456 ABC', undefined],
  ['0812 3456 789 ext. 12', undefined],
  ['0812 3456 789;12', undefined],
  ['', undefined],
  ['0', undefined],
])('in Indonesia %s is %s', (text, phone) => {
  expect(canonicalPhone(text, { country: 'ID' })).toBe(phone);
  expect(canonicalPhone(text, { dialCode: '62' })).toBe(phone);
});

test.each([
  ['0912 345 678', 'VN', '+84912345678'],
  ['(202) 555-0100', 'US', '+12025550100'],
  ['1 202 555 0100', 'US', '+12025550100'],
  ['011 62 812 3456 789', 'US', '+628123456789'],
  ['628123456789', 'SG', '+628123456789'],
  ['0812 3456 789', 'SG', undefined],
  ['0412 345 678', 'AU', '+61412345678'],
  ['098765 43210', 'IN', '+919876543210'],
])('%s in %s is %s', (text, country, phone) => {
  expect(canonicalPhone(text, { country })).toBe(phone);
});

test('every way to write a mobile number of a country leads to one form', () => {
  const countries = ['ID', 'SG', 'US', 'IN', 'AU', 'VN', 'GB', 'DE', 'JP'] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...countries),
      fc.constantFrom(' ', '-', '.', ''),
      (country, mark) => {
        const example = getExampleNumber(country, examples);
        if (!example) throw new Error(`No number of ${country} is known`);
        const inOneForm = example.number;
        const ways = [
          example.formatNational(),
          example.formatInternational(),
          example.number,
          `00${example.number.slice(1)}`,
          example.formatInternational().replaceAll(' ', mark),
        ];
        for (const way of ways) expect(canonicalPhone(way, { country })).toBe(inOneForm);
      },
    ),
  );
});

test('the one form of a number is its own one form, wherever it is read', () => {
  const written = fc.stringMatching(/^\+?[0-9 ().-]{4,20}$/);
  fc.assert(
    fc.property(written, fc.constantFrom('ID', 'US', 'VN', 'SG'), (text, country) => {
      const phone = canonicalPhone(text, { country });
      if (phone === undefined) return;
      expect(phone).toMatch(/^\+[1-9]\d{4,14}$/);
      for (const home of ['ID', 'US', 'VN', 'SG'])
        expect(canonicalPhone(phone, { country: home })).toBe(phone);
    }),
  );
});
