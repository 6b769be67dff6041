import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { type Body, harness } from '#test/harness.ts';
import { withdrawer } from '#test/withdrawals.ts';

const h = await harness();
await h.drain();

/** What a busy machine has left to jobs. */
const settled = async () => {
  await h.advance(60);
  await h.drain();
};
const codes = (answers: [number, Body][]) =>
  Map.groupBy(answers, ([status, { error }]) => error?.code ?? status);

test('fifty withdrawals at once never overdraw a wallet', async () => {
  const user = await withdrawer(h, 'USD', 1_050n);
  const answers = await Promise.all(Array.from({ length: 50 }, () => user.withdraw('1')));
  const by = codes(answers);
  expect([by.get(201)?.length, by.get('INSUFFICIENT_BALANCE')?.length]).toEqual([7, 43]);
  await settled();
  expect(await user.balance()).toEqual({ balance: '0.00', held: '0.00' });
});

test('fifty withdrawals at once never pass the limit of a day', async () => {
  const user = await withdrawer(h, 'USD', 100_000n);
  const answers = await Promise.all(Array.from({ length: 50 }, () => user.withdraw('60')));
  const by = codes(answers);
  // 500 dollars a day before verification.
  expect([by.get(201)?.length, by.get('LIMIT_EXCEEDED')?.length]).toEqual([8, 42]);
  await settled();
  expect((await user.balance()).balance).toBe('516.00');
});

test('of twenty cancellations and the execution at once one decides', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const execute_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  const [, { data }] = await user.withdraw('10', { execute_at });
  await h.advance(61);
  const cancels = Array.from({ length: 20 }, () => user.cancel(data.withdrawal_id));
  const [answers] = await Promise.all([Promise.all(cancels), h.drain()]);
  await h.drain();
  const { status } = await user.read(data.withdrawal_id);
  const cancelled = answers.filter(([code]) => code === 200).length;
  expect([status, cancelled]).toEqual(status === 'CANCELLED' ? ['CANCELLED', 20] : [status, 0]);
  expect(['CANCELLED', 'COMPLETED']).toContain(status);
  const left = status === 'CANCELLED' ? '100.00' : '89.50';
  expect(await user.balance()).toEqual({ balance: left, held: '0.00' });
});

test('a withdrawal keeps what was asked for, and goes onward only', async () => {
  const user = await withdrawer(h, 'USD', 10_000n);
  const [, { data }] = await user.withdraw('10');
  const change = (set: object) =>
    transact(h.db, (tx) =>
      tx
        .updateTable('withdrawals')
        .set(set)
        .where('our_reference', '=', data.withdrawal_id)
        .execute(),
    );
  await expect(change({ amount: 1n })).rejects.toMatchObject({ constraint: 'withdrawals_stay' });
  await expect(change({ status: 'PENDING' })).rejects.toMatchObject({
    constraint: 'withdrawals_onward',
  });
});
