import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionsMax, createConnectionSlots } from './connections.ts';

const FILES = 8192;
const MAX = connectionsMax(FILES);
/** As many as these addresses get, one after the other. */
function fill(
  places: ReturnType<typeof createConnectionSlots>,
  addressOf: (n: number) => string,
): number {
  for (let n = 0; ; n += 1) if (typeof places.take(addressOf(n)) !== 'function') return n;
}
const ipv4 = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

test('one address has no more than its number, and all together leave half of the files', () => {
  const places = createConnectionSlots(MAX);
  expect(fill(places, () => '192.0.2.1')).toBe(Math.min(MAX.one, Math.floor(MAX.all / 9)));
  expect(fill(createConnectionSlots(connectionsMax(65_536)), () => '192.0.2.1')).toBe(1000);
  expect(MAX.all).toBe(FILES / 2);
});

test('all networks of one customer of IPv6 leave others room', () => {
  const places = createConnectionSlots(MAX);
  const own = fill(places, (n) => `2001:db8:7:${n.toString(16)}::1`);
  expect(own).toBeLessThanOrEqual(MAX.all / 8);
  expect(fill(places, () => '2001:db8:8::1')).toBeGreaterThan(100);
});

test('thirty networks that take all they get leave the next one a place', () => {
  const places = createConnectionSlots(MAX);
  for (let n = 0; n < 30; n += 1) fill(places, () => ipv4(n));
  expect(places.take('192.0.2.1')).toBeTypeOf('function');
});

test('whatever is taken and given back, the count is of what is held', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 60 }), { maxLength: 120 }), (steps) => {
      const places = createConnectionSlots({ one: 5, all: 20 });
      const held: (() => void)[] = [];
      for (const step of steps) {
        if (step > 40) {
          held.splice(step % (held.length || 1), 1)[0]?.();
          continue;
        }
        const taken = places.take(step % 2 ? ipv4(step % 7) : `2001:db8:${step % 3}:${step}::1`);
        if (typeof taken === 'function') held.push(taken);
        expect(held.length).toBeLessThanOrEqual(20);
      }
      for (const release of held) release();
      const whole = createConnectionSlots({ one: 5, all: 20 });
      expect(fill(places, ipv4)).toBe(fill(whole, ipv4));
    }),
  );
});
