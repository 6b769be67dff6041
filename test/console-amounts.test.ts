import { expect, test } from 'vitest';
import { withAmounts } from '../console/amount.ts';

const shown = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(withAmounts(Object.entries(fields)));

test.each([
  [{ units: '10000', currency: 'USD' }, '100.00 USD'],
  [{ units: 5, currency: 'USD' }, '0.05 USD'],
  [{ amount: '41', currency: 'USD' }, '41.00 USD'],
  [{ amount: '242.50', currency: 'USD' }, '242.50 USD'],
  [{ amount: 0, currency: 'USD' }, '0.00 USD'],
  [{ amount: '-0.4', currency: 'USD' }, '−0.40 USD'],
  [{ amount: '100000', currency: 'IDR' }, '100,000.00 IDR'],
  [{ amount: '1.5', asset: 'USDC' }, '1.500000 USDC'],
  [{ amount: 'a lot', currency: 'USD' }, 'a lot USD'],
  [{ units: '7', asset: 'shells' }, '7 units of shells'],
])('the console writes %j as %s', (fields, amount) => {
  expect(shown(fields)).toEqual({ amount });
});

test('a currency without an amount, and an amount without one, stay as they are', () => {
  expect(shown({ currency: 'USD', rail: 'card' })).toEqual({ currency: 'USD', rail: 'card' });
  expect(shown({ amount: '3', kind: 'fee' })).toEqual({ amount: '3', kind: 'fee' });
});
