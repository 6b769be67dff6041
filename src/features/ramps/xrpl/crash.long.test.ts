import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { killWhereItHangs } from '#test/child.ts';
import { harness } from '#test/harness.ts';
import { ramps } from '#test/ramps.ts';
import { unlessRefused } from '#test/sandbox-controls.ts';
import { MNEMONIC } from '#test/xrpl.ts';
import type { FlowOrders } from '#test/xrpl-child.ts';

/** kill -9 in every step of every flow; another process ends what was begun, once. */
const h = await harness({ mock: false });
await h.drain();
const r = ramps(h);
const as = await h.user();
await r.fund(as, 'USD', 1_000_000n);
await r.on(as, { amount: 1000 });
const address = await r.outside();
const caller = {
  key: null,
  user_id: as.user_id,
  client_id: as.client_id,
  role: 'user' as const,
  operator: false,
  session_id: randomUUID(),
};

const currency_code = 'USDC';
const BANK = { bank_name: 'BCA', account_number: '1234567890', account_name: 'Siti Rahma' };
const onramp = { on: { currency_code, fiat_currency: 'USD' as const, fiat_amount: '2' } };
const send = { off: { currency_code, amount: '2', destination_address: address } };
const toBank = {
  currency_code,
  usdc_amount: '2',
  target_fiat: 'IDR' as const,
  payout_type: 'BANK' as const,
  destination_bank: BANK,
};
type Case = [string, Partial<FlowOrders>, FlowOrders['hangs'], string?];
const cases: Case[] = [
  ['on-ramp', onramp, 'before'],
  ['on-ramp', onramp, 'after'],
  // Signed, and no process knows the answer.
  ['on-ramp', onramp, 'after', 'drop'],
  ['off-ramp', send, 'before'],
  ['off-ramp', send, 'after'],
  ['sponsored off-ramp', { ...send, isMock: true }, 'after'],
  ['payout', { off: toBank }, 'before'],
  ['payout', { off: toBank }, 'after'],
  ['ask', { off: toBank }, 'before'],
  ['ask', { off: toBank }, 'after'],
  ['pay-out failed', { off: toBank, bankFails: true }, 'after'],
];

test('a flow of a killed process ends once at every step', async () => {
  const before = { usdc: await r.usdcOf(as), usd: await r.fiatOf(as, 'USD') };
  const broke = await h.user();
  const flows = cases.map(([at, orders, hangs, fault]) => ({
    caller: orders.isMock ? { ...caller, user_id: broke.user_id } : caller,
    ...orders,
    id: `xrpl-crash-${randomUUID()}`,
    at,
    hangs,
    ...(fault && { fault }),
  }));
  await killWhereItHangs('xrpl-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    sandboxUrl: h.app.sandboxUrl(),
    mnemonic: MNEMONIC,
    aheadMs: h.clock.offsetMs,
    flows,
  });
  const ids = flows.map(({ id }) => id);
  await h.advance(180);
  await h.drain();
  // Not all of them pay out to a bank.
  for (const id of ids)
    await unlessRefused(h.sandbox('POST', `/gateway/payouts/${id}-payout/complete`, {}));
  await h.advance(600);
  await h.drain();
  const ended = await h.db
    .selectFrom('xrpl_transactions')
    .select(['operation', 'status'])
    .where('operation', 'in', ids)
    .orderBy('id')
    .execute();
  const [done, paid] = ['tesSUCCESS', 'SUCCESS_RECEIVED'];
  expect(ended.map(({ status }) => status)).toEqual([
    ...[done, done, done, done, done, done, paid, paid, paid, paid, 'FAILED'],
  ]);
  // Three times 2 came, six times 2 went: two to the address, four to the bank.
  expect(await r.usdcOf(as)).toEqual({ units: before.usdc.units - 6_000_000n, held: 0n });
  expect(await r.fiatOf(as, 'USD')).toEqual({ units: before.usd.units - 600n, held: 0n });
  expect(await r.house('xrpl-payouts', 'IDR')).toBe(0n);
  expect(await r.house('gateway', 'IDR')).toBe(4n * (3_175_100n - 555_000n));
  expect(await r.house('xrpl-sponsored', 'USDC')).toBe(-2_000_000n);
  await r.agree();
});
