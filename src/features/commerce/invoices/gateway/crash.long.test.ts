// Long: processes are killed.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { payInvoice } from '#sandbox/providers/gateway/simulated-invoices.ts';
import { createRecords } from '#sandbox/records.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { houseBalance } from '#test/cards.ts';
import { killWhereItHangs } from '#test/child.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { harness } from '#test/harness.ts';
import { invoicesOf, rupiahOf } from '#test/invoices.ts';
import type { HangingTry } from '#test/invoices-child.ts';

/** kill -9 at every call of a payment by the gateway; another process ends what was begun, once. */
const { MASTER_KEY: masterKey } = newSecrets();
const h = await harness({ mock: false, masterKey, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const merchant = await h.user();
const statusOf = async (id: string) => (await invoices.payment(merchant, id))[1].data.status;

/** Goes on with them in another process, and kills that where the last hangs. */
const goOnAndKill = (flows: readonly HangingTry[], aheadMs = 0): Promise<void> =>
  killWhereItHangs('invoices-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    sandboxUrl: h.app.sandboxUrl(),
    masterKey,
    aheadMs: h.clock.offsetMs + aheadMs,
    flows,
  });
const later = async (seconds: number) => {
  await h.advance(seconds);
  await h.drain();
};
const flowsOf = (ids: readonly string[], at: HangingTry['at']): HangingTry[] => [
  { id: ids[0] ?? '', at, hangs: 'before' },
  { id: ids[1] ?? '', at, hangs: 'after' },
];

/** Two invoices of 50,000, each with a payment that waits for its payer. */
async function begun(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { invoice_id } = await invoices.rupiah(merchant, { expires_in_s: 86_400 });
    ids.push((await invoices.begun(merchant, invoice_id)).payment_id);
  }
  return ids;
}

test('a payment whose process is killed while it is asked for is asked for once, and can be paid', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { invoice_id } = await invoices.rupiah(merchant);
    // The request's own try gets nowhere.
    await gateway.spoil('drop', 9);
    ids.push((await invoices.begin(merchant, invoice_id))[1].data.payment_id);
    await gateway.calm();
  }
  await h.advance(60);
  await goOnAndKill(flowsOf(ids, 'create'));
  await later(300);
  for (const id of ids) {
    expect(await statusOf(id)).toBe('REQUIRES_ACTION');
    await gateway.pay(id);
    expect(await statusOf(id)).toBe('SUCCEEDED');
  }
});

test('money whose process is killed between the page and the booking is booked once', async () => {
  const ids = await begun();
  const before = await rupiahOf(h, merchant);
  for (const id of ids) await payInvoice({ records: createRecords(h.db), clock: h.clock }, id);
  await goOnAndKill(flowsOf(ids, 'receipts'));
  for (const id of ids) expect(await statusOf(id)).toBe('REQUIRES_ACTION');
  await later(300);
  for (const id of ids) expect(await statusOf(id)).toBe('SUCCEEDED');
  expect((await rupiahOf(h, merchant)) - before).toBe(10_000_000n);
  const booked = await run(
    h.db,
    'select payment_id from invoice_receipts r join invoice_payments p using (payment_id) where p.object_id = any($1)',
    [ids],
  );
  expect(booked).toHaveLength(2);
});

test('a time-out whose process is killed still ends the payment and its invoice', async () => {
  const ids = await begun();
  await goOnAndKill(flowsOf(ids, 'expire'), 86_401_000);
  await later(86_401);
  await later(300);
  await later(60);
  for (const id of ids) expect(await statusOf(id)).toBe('CANCELLED');
  const ended = await run(
    h.db,
    `select i.status from invoices i join invoice_payments p using (invoice_id) where p.object_id = any($1)`,
    [ids],
  );
  expect(ended).toEqual([{ status: 'EXPIRED' }, { status: 'EXPIRED' }]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseBalance(h, 'gateway', 'IDR')));
});
