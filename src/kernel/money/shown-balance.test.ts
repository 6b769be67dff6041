import { expect, test } from 'vitest';
import { shownBalance, spendableOf } from './shown-balance.ts';

test('what is held is not available, and the available part is never below zero', () => {
  expect(spendableOf(100n, 30n)).toEqual({ held: 30n, available: 70n });
  expect(spendableOf(30n, 30n)).toEqual({ held: 30n, available: 0n });
  expect(spendableOf(-5n, 30n)).toEqual({ held: 30n, available: 0n });
});

test('held and available are written with the digits of their asset, or as the balance is', () => {
  const spendable = spendableOf(12_345n, 45n);
  expect(shownBalance('USD', spendable)).toEqual({ held: '0.45', available: '123.00' });
  expect(shownBalance((units) => `${units} lovelace`, spendable)).toEqual({
    held: '45 lovelace',
    available: '12300 lovelace',
  });
});
