import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { houseBalance } from '#test/cards.ts';
import { killWhereItHangs } from '#test/child.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { bankRefunds } from '#test/refunds.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';
import type { HangingWithdrawal } from '#test/withdrawals-child.ts';

/** kill -9 in every step of a refund to a bank; another process ends what was begun, once. */
const { MASTER_KEY: masterKey } = newSecrets();
const h = await harness({ mock: false, masterKey, config: { JWT_TTL: '10000000' } });
await h.drain();
const gateway = gatewayOf(h);
const refunds = bankRefunds(h);

type Case = readonly [HangingWithdrawal['at'], HangingWithdrawal['hangs'], boolean?];
const CASES: readonly Case[] = [
  ['payout', 'before'],
  ['payout', 'after'],
  ['ask', 'before'],
  ['ask', 'after'],
  ['payout', 'after', true],
];

test('a refund of a killed process ends once at every step', async () => {
  const merchant = await h.user();
  const { invoice_id } = await refunds.paid(merchant, { amount: '500000' });
  const before = await gateway.balance();
  const ids: string[] = [];
  for (const _ of CASES) {
    const [, { data }] = await invoicesOf(h).refund(merchant, invoice_id, { amount: '100000' });
    ids.push(data.refund_id);
  }
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
    aheadMs: h.clock.offsetMs,
    flows,
  });
  await h.advance(180);
  await h.drain();
  for (const id of ids) await unlessRefused(gateway.end(id, 'complete'));
  await h.advance(3_600);
  await h.drain();
  const ended = await Promise.all(
    ids.map(async (id) => (await refunds.one(merchant, invoice_id, id))['status']),
  );
  expect(ended).toEqual(ids.map(() => 'SUCCEEDED'));
  expect((await gateway.balance()) - before).toBe(-50_000_000n);
  expect(await refunds.wallet(merchant)).toEqual({ balance: 0n, held: '0.00' });
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseBalance(h, 'gateway', 'IDR')));
});
