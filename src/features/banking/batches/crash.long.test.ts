import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { batchMaker } from '#test/batches.ts';
import type { HangingItem } from '#test/batches-child.ts';
import { killWhereItHangs } from '#test/child.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';

/** kill -9 in every step of a payment of a batch; another process ends what was begun, once. */
const { MASTER_KEY: masterKey } = newSecrets();
const h = await harness({ mock: false, masterKey });
await h.drain();
const gateway = gatewayOf(h);

type Case = readonly [HangingItem['at'], HangingItem['hangs'], boolean?];
const CASES: readonly Case[] = [
  ['payout', 'before'],
  ['payout', 'after'],
  ['ask', 'before'],
  ['ask', 'after'],
  ['payout', 'after', true],
];

test('a batch of a killed process pays each of its payments once at every step', async () => {
  const user = await batchMaker(h, 'IDR', 100_000_000n);
  const before = await gateway.balance();
  const execute_at = new Date(h.clock.ms() + 60_000).toISOString();
  const id = await user.approved(user.lines(...CASES.map(() => '100000')), { execute_at });
  const ids = (await user.items(id)).map(({ item_id }) => String(item_id));
  const flows = CASES.map(([at, hangs, bankFails = false], n) => ({
    id: ids[n] ?? '',
    at,
    hangs,
    bankFails,
  }));
  await killWhereItHangs('batches-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    sandboxUrl: h.app.sandboxUrl(),
    masterKey,
    aheadMs: h.clock.offsetMs + 61_000,
    batch: id,
    flows,
  });
  await h.advance(180);
  await h.drain();
  for (const item of ids) await unlessRefused(gateway.end(item, 'complete'));
  await h.advance(3_600);
  await h.drain();
  expect(await user.read(id)).toMatchObject({ status: 'COMPLETED', completed_count: 5 });
  expect((await gateway.balance()) - before).toBe(-50_000_000n);
  expect(await user.balance()).toEqual({ balance: '487500.00', held: '0.00' });
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
