import { expect, test } from 'vitest';
import { houseBalance } from '#test/cards.ts';
import { invoicesOf } from '#test/invoices.ts';
import { CRASHED_AMOUNT, CRASHES, crashHarness } from '#test/payout-crashes.ts';
import { bankRefunds } from '#test/refunds.ts';

/** kill -9 in every step of a refund to a bank; another process ends what was begun, once. */
const { h, gateway, killedAndEnded } = await crashHarness({ JWT_TTL: '10000000' });
const refunds = bankRefunds(h);

test('a refund of a killed process ends once at every step', async () => {
  const merchant = await h.user();
  const { invoice_id } = await refunds.paid(merchant, { amount: '500000' });
  const ids: string[] = [];
  for (const _ of CRASHES) {
    const body = { amount: CRASHED_AMOUNT };
    const [, { data }] = await invoicesOf(h).refund(merchant, invoice_id, body);
    ids.push(data.refund_id);
  }
  await killedAndEnded('withdrawals-child.ts', ids);
  const ended = await Promise.all(
    ids.map(async (id) => (await refunds.one(merchant, invoice_id, id))['status']),
  );
  expect(ended).toEqual(ids.map(() => 'SUCCEEDED'));
  expect(await refunds.wallet(merchant)).toEqual({ balance: 0n, held: '0.00' });
  expect(await gateway.balance()).toBe(-(await houseBalance(h, 'gateway', 'IDR')));
});
