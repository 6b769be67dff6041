import { expect, test } from 'vitest';
import type { Db } from '#kernel/db/db.ts';
import { bankFlow, fromHeld, mergedLegs, reversedLegs } from './ramp.ts';

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

test('a bank flow signals the flow of a reference, and knows no other reference', async () => {
  const signals: unknown[][] = [];
  const { payer } = bankFlow(
    {
      async signal(_tx, ...given) {
        signals.push(given);
        return true;
      },
    },
    {
      name: 'test',
      rail: 'test-payouts',
      table: 'payouts',
      event: 'payout',
      flowOf: (reference) => /^PAY-(\d+)$/.exec(reference)?.[1],
      requestOf: () => Promise.reject(new Error('not called')),
      bookReturn: async () => undefined,
    },
  );
  expect([payer.owns('PAY-7'), payer.owns('7')]).toEqual([true, false]);
  const row = { reference: 'PAY-7', units: 4n } as Parameters<typeof payer.notify>[1];
  const tx = {} as Db;
  expect(await payer.notify(tx, row, { status: 'FAILED', failure: 'CLOSED' })).toBe(true);
  expect(signals).toEqual([['7', 'payout', 'FAILED', { status: 'FAILED', failure: 'CLOSED' }]]);
  expect(await payer.bookLate(tx, row)).toEqual({ lost: 4n });
});
