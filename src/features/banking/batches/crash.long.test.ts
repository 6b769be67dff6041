import { expect, test } from 'vitest';
import { batchMaker } from '#test/batches.ts';
import { CRASHED_AMOUNT, CRASHES, crashHarness } from '#test/payout-crashes.ts';

/** kill -9 in every step of a payment of a batch; another process ends what was begun, once. */
const { h, killedAndEnded } = await crashHarness();

test('a batch of a killed process pays each of its payments once at every step', async () => {
  const user = await batchMaker(h, 'IDR', 100_000_000n);
  const execute_at = new Date(h.clock.ms() + 60_000).toISOString();
  const lines = user.lines(...CRASHES.map(() => CRASHED_AMOUNT));
  const batch = await user.approved(lines, { execute_at });
  const ids = (await user.items(batch)).map(({ item_id }) => String(item_id));
  await killedAndEnded('batches-child.ts', ids, { batch, aheadMs: h.clock.offsetMs + 61_000 });
  expect(await user.read(batch)).toMatchObject({ status: 'COMPLETED', completed_count: 5 });
  expect(await user.balance()).toEqual({ balance: '487500.00', held: '0.00' });
});
