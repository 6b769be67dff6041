import { expect, test } from 'vitest';
import { defineMachine } from './saga-machine.ts';

test('a machine that leads nowhere is refused', () => {
  const states = { a: { next: 'b', onExhausted: 'a' } };
  expect(() => defineMachine({ type: 't', initial: 'a', states })).toThrow('has no state b');
});
