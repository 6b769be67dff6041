import { expect, test } from 'vitest';
import { nearestOf } from './nearest.ts';

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
