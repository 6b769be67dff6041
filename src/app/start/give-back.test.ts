import { expect, test } from 'vitest';
import { heldTimers } from '#test/held-timers.ts';
import { giveBackAtRest } from './give-back.ts';

test('the memory of loading is returned once, and not during work', () => {
  const timers = heldTimers();
  let work = 0.9;
  let given = 0;
  giveBackAtRest({
    after: (ms, act) => void timers.after(ms, act),
    watch: () => () => work,
    collect: () => (given += 1),
  });
  timers.pass(60_000);
  expect(given).toBe(0);
  work = 0.05;
  timers.pass(60_000);
  expect([given, timers.open]).toEqual([1, 0]);
});
