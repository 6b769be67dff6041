import { describe, expect, test } from 'vitest';
import { destinationOf, dialCodeOf, readDialCodes } from './dial-codes.ts';

const anywhere = readDialCodes('');
const refusal = (setting: string, phone: string) => {
  try {
    return destinationOf(readDialCodes(setting), phone);
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['12025550100', '1'],
  ['74951234567', '7'],
  ['6281234567', '62'],
  ['442071234567', '44'],
  ['8801712345678', '880'],
  ['886912345678', '886'],
  ['85212345678', '852'],
  ['35312345678', '353'],
  ['99412345678', '994'],
])('%s is a number of +%s', (digits, code) => {
  expect(dialCodeOf(digits)).toBe(code);
});

describe('by default', () => {
  test.each(['+88213000001', '+881612345678', '+883510012345', '+870773123456', '+878101234567'])(
    'nothing goes to satellites and networks of no country: %s',
    (phone) => {
      expect(refusal('', phone)).toBe(
        `No messages are sent to ${phone.slice(0, 4)} numbers: satellite and premium numbers are not served`,
      );
    },
  );

  test.each(['+97912345678', '00979 123 456', '+80012345678', '+808 1234 5678', '+99112345678'])(
    'nor to premium numbers: %s',
    (phone) => {
      expect(refusal('', phone)).toContain('satellite and premium numbers are not served');
    },
  );

  test.each([
    ['+62 812-3456', '62'],
    ['0062812345', '62'],
    ['+1 (202) 555-0100', '1'],
    ['+8801712345678', '880'],
    ['08123456', 'unknown'],
  ])('every country is served: %s', (phone, code) => {
    expect(destinationOf(anywhere, phone)).toEqual({ code, most: undefined });
  });
});

describe('a list of dial codes', () => {
  test('serves what is on it, with the ceilings it gives', () => {
    const served = readDialCodes('62,65,1:500');
    expect(destinationOf(served, '+6281234567')).toEqual({ code: '62', most: undefined });
    expect(destinationOf(served, '+12025550100')).toEqual({ code: '1', most: 500 });
  });

  test('refuses every other country, and what it says 0 of', () => {
    expect(refusal('62,1', '+442071234567')).toBe(
      'No messages are sent to +44 numbers: this destination is not served',
    );
    expect(refusal('1,1876:0', '+18765550100')).toBe(
      'No messages are sent to +1876 numbers: this destination is not served',
    );
    expect(refusal('62', '08123456')).toBe(
      'No messages are sent to numbers without a country code',
    );
  });

  test('may serve what is not served by default', () => {
    expect(destinationOf(readDialCodes('881:10'), '+88161234567')).toEqual({
      code: '881',
      most: 10,
    });
  });
});
