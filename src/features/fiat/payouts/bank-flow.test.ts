import { expect, test } from 'vitest';
import type { Db } from '#kernel/db/db.ts';
import { bankFlow } from './bank-flow.ts';

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
