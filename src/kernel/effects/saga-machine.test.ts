import { expect, test } from 'vitest';
import { unknown } from './outcome.ts';
import { defineMachine } from './saga-machine.ts';

test('a machine that leads nowhere is refused', () => {
  const states = { a: { next: 'b' } };
  expect(() => defineMachine({ type: 't', initial: 'a', states })).toThrow('has no state b');
});

test('a machine that does not say what follows a refusal is refused', () => {
  const states = {
    a: { call: async () => unknown('no answer'), next: 'b' },
    b: { final: true as const },
  };
  expect(() => defineMachine({ type: 't', initial: 'a', states })).toThrow('when a is refused');
});
