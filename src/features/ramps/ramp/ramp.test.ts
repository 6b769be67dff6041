import { expect, test } from 'vitest';
import { fromHeld, mergedLegs, reversedLegs } from './ramp.ts';

test('merged legs have one amount for an account, and none that is zero', () => {
  const amounts = [
    { account: 1, amount: 5n },
    { account: 2, amount: -5n },
    { account: 1, amount: 2n },
    { account: 3, amount: 0n },
    { account: 2, amount: -2n },
  ];
  expect(mergedLegs(amounts)).toEqual([
    { account: 1, amount: 7n },
    { account: 2, amount: -7n },
  ]);
});

test('reversed legs undo a transfer, and legs from a hold capture the payer’s part', () => {
  const legs = [
    { account: 1, amount: -5n },
    { account: 2, amount: 5n },
  ];
  expect(mergedLegs([...legs, ...reversedLegs(legs)])).toEqual([]);
  expect(fromHeld(legs, 1)).toEqual([{ account: 1, amount: -5n, held: -5n }, legs[1]]);
});
