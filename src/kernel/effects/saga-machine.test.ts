import { expect, test } from 'vitest';
import { done, unknown } from './outcome.ts';
import { defineMachine, machineOf } from './saga-machine.ts';

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

interface Payment {
  readonly hash?: string;
}

test('a machine that leads nowhere, or takes another result for its own, does not compile', () => {
  const { step, final, machine } = machineOf<Payment>();
  const pay = step({
    call: async () => done({ hash: '0x1' }),
    apply: async (_, __, { hash }) => ({ hash }),
    next: (_, { hash }) => (hash === '' ? 'none' : 'paid'),
    onRefused: 'none',
  });
  const ends = { paid: final(), none: final() };
  expect(machine({ type: 't', initial: 'pay', states: { pay, ...ends } }).initial).toBe('pay');
  // @ts-expect-error There is no state `none`.
  expect(() => machine({ type: 't', initial: 'pay', states: { pay, paid: final() } })).toThrow();
  // @ts-expect-error There is no state `start`.
  expect(() => machine({ type: 't', initial: 'start', states: ends })).toThrow('no state start');
  // @ts-expect-error The call answers no `id`.
  step({ call: async () => done({ hash: '' }), next: (_, { id }) => id, onRefused: 'none' });
});
