import { expect, test } from 'vitest';
import { CRASHED_AMOUNT, CRASHES, crashHarness } from '#test/payout-crashes.ts';
import { withdrawer } from '#test/withdrawals.ts';

/** kill -9 in every step of a withdrawal; another process ends what was begun, once. */
const { h, killedAndEnded } = await crashHarness();

test('a withdrawal of a killed process ends once at every step', async () => {
  const user = await withdrawer(h, 'IDR', 100_000_000n);
  const execute_at = new Date(h.clock.ms() + 60_000).toISOString();
  const ids: string[] = [];
  for (const _ of CRASHES)
    ids.push((await user.withdraw(CRASHED_AMOUNT, { execute_at }))[1].data.withdrawal_id);
  const aheadMs = h.clock.offsetMs + 61_000;
  await killedAndEnded('withdrawals-child.ts', ids, { aheadMs });
  const ended = await Promise.all(ids.map(async (id) => (await user.read(id)).status));
  expect(ended).toEqual(ids.map(() => 'COMPLETED'));
  expect(await user.balance()).toEqual({ balance: '487500.00', held: '0.00' });
});
