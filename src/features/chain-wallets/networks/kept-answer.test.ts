import { expect, test } from 'vitest';
import { done, unknown } from '#kernel/effects/outcome.ts';
import { ifAnswered, keptAnswer } from './kept-answer.ts';

test('callers at one time share one call, and those shortly after it have its answer', async () => {
  let calls = 0;
  const ask = keptAnswer(async () => done(++calls));
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(answers.map(ifAnswered))).toEqual(new Set([1]));
  expect(ifAnswered(await ask())).toBe(1);
  expect(calls).toBe(1);
});

test('a call that throws is a network that is away', async () => {
  const ask = keptAnswer<number>(async () => {
    throw new Error('gone');
  });
  expect(await ask()).toMatchObject({ kind: 'unknown' });
  expect(ifAnswered(unknown('gone'))).toBeUndefined();
});
