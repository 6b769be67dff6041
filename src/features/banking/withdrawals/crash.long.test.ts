import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { killWhereItHangs } from '#test/child.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';
import { withdrawer } from '#test/withdrawals.ts';
import type { HangingWithdrawal } from '#test/withdrawals-child.ts';

/** kill -9 in every step of a withdrawal; another process ends what was begun, once. */
const { MASTER_KEY: masterKey } = newSecrets();
const h = await harness({ mock: false, masterKey });
await h.drain();
const gateway = gatewayOf(h);

type Case = readonly [HangingWithdrawal['at'], HangingWithdrawal['hangs'], boolean?];
const CASES: readonly Case[] = [
  ['payout', 'before'],
  ['payout', 'after'],
  ['ask', 'before'],
  ['ask', 'after'],
  ['payout', 'after', true],
];

test('a withdrawal of a killed process ends once at every step', async () => {
  const user = await withdrawer(h, 'IDR', 100_000_000n);
  const before = await gateway.balance();
  const execute_at = new Date(h.clock.now().getTime() + 60_000).toISOString();
  const ids: string[] = [];
  for (const _ of CASES)
    ids.push((await user.withdraw('100000', { execute_at }))[1].data.withdrawal_id);
  const flows = CASES.map(([at, hangs, bankFails = false], n) => ({
    id: ids[n] ?? '',
    at,
    hangs,
    bankFails,
  }));
  await killWhereItHangs('withdrawals-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    sandboxUrl: h.app.sandboxUrl(),
    masterKey,
    aheadMs: h.clock.offsetMs + 61_000,
    flows,
  });
  await h.advance(180);
  await h.drain();
  for (const id of ids) await unlessRefused(gateway.end(id, 'complete'));
  await h.advance(3_600);
  await h.drain();
  const ended = await Promise.all(ids.map(async (id) => (await user.read(id)).status));
  expect(ended).toEqual(ids.map(() => 'COMPLETED'));
  expect((await gateway.balance()) - before).toBe(-50_000_000n);
  expect(await user.balance()).toEqual({ balance: '487500.00', held: '0.00' });
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
