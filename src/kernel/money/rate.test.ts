import { expect, test } from 'vitest';
import { divide, formatRate, inverse, multiply, parseRate } from './rate.ts';

test('a rate is decimal text and nothing else', () => {
  expect(parseRate('15875.50')).toEqual({ numerator: 1_587_550n, denominator: 100n });
  for (const text of ['', '-1', '1e5', '1/2', 'NaN', '.5']) expect(() => parseRate(text)).toThrow();
});

test('a rate is printed with no more decimals than it has', () => {
  expect(formatRate(parseRate('1.500'), 6, 'down')).toBe('1.5');
  expect(formatRate(parseRate('100'), 2, 'down')).toBe('100');
  expect(formatRate(parseRate('100.7'), 0, 'nearest')).toBe('101');
});

test('the way back and the way over a third asset are rounded as said', () => {
  expect(inverse('3', 4, 'down')).toBe('0.3333');
  expect(inverse('3', 4, 'up')).toBe('0.3334');
  expect(() => inverse('0', 4, 'up')).toThrow();
  expect(multiply('15875.5', '0.995', 4, 'down')).toBe('15796.1225');
});

test('a division of less than nothing is a mistake, not a rounding question', () => {
  expect(() => divide(-1n, 2n, 'down')).toThrow();
  expect(() => divide(1n, 0n, 'down')).toThrow();
  expect(divide(1n, 2n, 'nearest')).toBe(1n);
});

test('half-even goes to the nearest, and to the even one where two are as near', () => {
  const halves = [1n, 2n, 3n, 5n, 7n].map((half) => divide(half, 2n, 'half-even'));
  expect(halves).toEqual([0n, 1n, 2n, 2n, 4n]);
  expect([divide(149n, 100n, 'half-even'), divide(151n, 100n, 'half-even')]).toEqual([1n, 2n]);
  expect(divide(50_000_000_000_000_000_001n, 100_000_000_000_000_000_000n, 'half-even')).toBe(1n);
});
