import { expect, test } from 'vitest';
import { isoPrinter } from './clock.ts';

test('moments are printed as a Date prints them, in whatever order they come', () => {
  const iso = isoPrinter();
  const moments = [0, 1, 999, 1000, 1_790_000_000_007, 1_790_000_000_070, 1_790_000_001_000, -1, 7];
  for (const ms of moments) expect(iso(ms)).toBe(new Date(ms).toISOString());
});
