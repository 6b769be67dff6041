import { expect, test } from 'vitest';
import { pollAgain } from './poll.ts';

/** How often it is polled where polls come to that; after the last of them nothing waits. */
async function polls(all: readonly (readonly [number, number])[], stopAfter = Infinity) {
  const stopping = new AbortController();
  let polls = 0;
  if (stopAfter === 0) stopping.abort();
  await pollAgain(async () => {
    const [checked, confirmed] = all[polls] ?? [0, 0];
    polls += 1;
    if (polls === stopAfter) stopping.abort();
    return { checked, confirmed };
  }, stopping.signal);
  return polls;
}

test('the hourly poll repeats while it is full and moves jobs on', async () => {
  expect(
    await polls([
      [1000, 1000],
      [1000, 1],
      [17, 17],
    ]),
  ).toBe(3);
});

test('the poll ends without waiting jobs, or where none moves on', async () => {
  expect(await polls([])).toBe(1);
  expect(
    await polls([
      [999, 999],
      [5, 5],
    ]),
  ).toBe(1);
  expect(
    await polls([
      [1000, 3],
      [1000, 0],
      [1000, 3],
    ]),
  ).toBe(2);
});

test('the poll ends after a stop signal, and begins none afterwards', async () => {
  const endless = Array.from({ length: 50 }, () => [1000, 1000] as const);
  expect(await polls(endless, 2)).toBe(2);
  expect(await polls(endless, 0)).toBe(0);
});

test('a failed poll ends the run, and the next hour polls again', async () => {
  let polls = 0;
  const polling = pollAgain(async () => {
    polls += 1;
    throw new Error('The exchange is away');
  }, new AbortController().signal);
  await expect(polling).rejects.toThrow('The exchange is away');
  expect(polls).toBe(1);
});
