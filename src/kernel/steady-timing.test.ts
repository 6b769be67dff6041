import { expect, test } from 'vitest';
import { createSteadyTiming } from './steady-timing.ts';

/** A watch that work and pauses move, and nothing else. */
function paced() {
  let now = 1234.5;
  const pace = createSteadyTiming({
    nowMs: () => now,
    async sleep(ms) {
      expect(ms).toBeGreaterThan(0);
      now += ms;
    },
  });
  return async (ms: number, fails = false): Promise<number> => {
    const began = now;
    const work = pace(async () => {
      now += ms;
      if (fails) throw new Error('refused');
      return 'done';
    });
    if (fails) await expect(work).rejects.toThrow('refused');
    else expect(await work).toBe('done');
    return now - began;
  };
}

test('what takes longer or shorter is answered at the same moment, a failure too', async () => {
  const took = paced();
  for (const ms of [0, 0.5, 22, 44, 180, 299]) {
    expect(await took(ms)).toBe(300);
    expect(await took(ms, true)).toBe(300);
  }
});

test('what takes longer than a step is answered at the next one', async () => {
  const took = paced();
  expect(await took(301)).toBe(600);
  expect(await took(599, true)).toBe(600);
  expect(await took(600)).toBe(900);
});
