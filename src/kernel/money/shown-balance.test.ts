import { expect, test } from 'vitest';
import { beside, shownBalance } from './shown-balance.ts';

test('what is held is not available, and the available part is never below zero', () => {
  expect(beside(100n, 30n)).toEqual({ held: 30n, available: 70n });
  expect(beside(30n, 30n)).toEqual({ held: 30n, available: 0n });
  expect(beside(-5n, 30n)).toEqual({ held: 30n, available: 0n });
});

test('held and available are written with the digits of their asset, or as the balance is', () => {
  const spendable = beside(12_345n, 45n);
  expect(shownBalance('USD', spendable)).toEqual({ held: '0.45', available: '123.00' });
  expect(shownBalance((units) => `${units} lovelace`, spendable)).toEqual({
    held: '45 lovelace',
    available: '12300 lovelace',
  });
});
