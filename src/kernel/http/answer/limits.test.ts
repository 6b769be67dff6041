import { expect, test } from 'vitest';
import { byAddress, createLimits, type Spending } from './limits.ts';

/** Whether each of so many requests was let in. */
function spending(times: number, ...spendings: readonly Spending[]) {
  return (limits: ReturnType<typeof createLimits>): boolean[] =>
    Array.from({ length: times }, (_, n) => {
      try {
        const what = spendings[n % spendings.length];
        return what !== undefined && limits.spend(what, REPLY) === undefined;
      } catch {
        return false;
      }
    });
}
const REPLY = { header: () => undefined };
const key = (n: number, client_id: number | null = null): Spending => ({
  limit: 'key-deletion',
  by: 'key',
  id: n,
  below: { address: '192.0.2.1', client_id },
});

test('what is refused uses up nothing that others have in common with it', () => {
  const limits = createLimits({ on: true });
  const letIn = spending(30_000, key(1, 7))(limits);
  expect(letIn.filter(Boolean)).toHaveLength(10);
  expect(spending(1, key(2, 7))(limits)).toEqual([true]);
});

test('a refund lets the next one in', () => {
  const limits = createLimits({ on: true });
  const lookUp = byAddress('key-deletion', '192.0.2.1');
  expect(spending(11, lookUp)(limits).lastIndexOf(true)).toBe(9);
  void limits.refund(lookUp);
  void limits.refund(lookUp);
  expect(spending(2, lookUp)(limits)).toEqual([true, false]);
});

test('many keys together have no more than their address', () => {
  const limits = createLimits({ on: true });
  const keys = Array.from({ length: 1500 }, (_, n) => key(n));
  expect(spending(15_000, ...keys)(limits).filter(Boolean)).toHaveLength(10_000);
});

test('where limits are off nothing is counted', () => {
  const limits = createLimits({ on: false });
  expect(spending(50, key(1))(limits)).not.toContain(false);
});
