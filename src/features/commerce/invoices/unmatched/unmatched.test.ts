import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import { payInvoice } from '#sandbox/providers/gateway/simulated-invoices.ts';
import { createRecords } from '#sandbox/records.ts';
import { houseBalance } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf, rupiahOf } from '#test/invoices.ts';

const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const { client_id } = await h.client();
const merchant = await h.user({ client_id });
const admin = await h.user({ role: 'admin', client_id });
const operator = await h.operator();
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const house = (purpose: string) => houseBalance(h, purpose, 'IDR');

/** Money of that many rupiah that was meant for an invoice of 50,000 and does not pay it. */
async function stray(rupiah = 20_000): Promise<Body> {
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  await gateway.pay(payment_id, { amount: rupiah });
  await h.drain();
  const [found] = await invoices.unmatched(admin, invoice_id);
  if (!found) throw new Error('Nothing is unmatched');
  return found;
}

test('money is given to an open invoice once, and what is too much of it stays owed', async () => {
  const { unmatched_id } = await stray(45_000);
  const { invoice_id } = await invoices.rupiah(merchant, { amount: '30000' });
  const before = await rupiahOf(h, merchant);
  const [status, { data }] = await invoices.resolve(admin, unmatched_id, 'assign', { invoice_id });
  expect([status, data]).toMatchObject([
    200,
    { status: 'OPEN', amount: '45000.00', owed: '15000.00', assigned_invoice_id: invoice_id },
  ]);
  expect((await rupiahOf(h, merchant)) - before).toBe(3_000_000n);
  const [, paid] = await invoices.read(merchant, invoice_id);
  expect(paid.data).toMatchObject({ status: 'PAID', payments: [{ method: 'va' }] });
  const again = await invoices.resolve(admin, unmatched_id, 'assign', { invoice_id });
  expect([again[0], again[1].data.owed]).toEqual([200, '15000.00']);
  const other = await invoices.rupiah(merchant, { amount: '10000' });
  const body = { invoice_id: other.invoice_id };
  expect(codeOf(await invoices.resolve(admin, unmatched_id, 'assign', body))).toEqual([
    409,
    'INVALID_STATUS',
  ]);
});

test('too little is given to an invoice that takes parts only', async () => {
  const { unmatched_id } = await stray();
  const whole = await invoices.rupiah(merchant);
  const { invoice_id } = whole;
  const [status, { error }] = await invoices.resolve(admin, unmatched_id, 'assign', { invoice_id });
  expect([status, error.code, error.details]).toEqual([
    400,
    'INVALID_AMOUNT',
    { owed: '20000.00', needed: '50000.00', currency: 'IDR' },
  ]);
  const parts = await invoices.rupiah(merchant, { allow_partial: true });
  const given = { invoice_id: parts.invoice_id };
  const [, { data }] = await invoices.resolve(admin, unmatched_id, 'assign', given);
  expect(data.status).toBe('ASSIGNED');
  const [, read] = await invoices.read(merchant, parts.invoice_id);
  expect(read.data).toMatchObject({ status: 'PARTIALLY_PAID', paid_amount: '20000.00' });
});

test('twenty assignments at once pay one invoice', async () => {
  const { unmatched_id } = await stray();
  const targets = await Promise.all(
    Array.from({ length: 20 }, () => invoices.rupiah(merchant, { amount: '20000' })),
  );
  const before = await rupiahOf(h, merchant);
  const answers = await Promise.all(
    targets.map(({ invoice_id }) =>
      invoices.resolve(admin, unmatched_id, 'assign', { invoice_id }),
    ),
  );
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
  expect((await rupiahOf(h, merchant)) - before).toBe(2_000_000n);
});

test('the operator writes it off, or says that it was paid back by others; admins of a client do not', async () => {
  const [lost, back] = [await stray(), await stray()];
  const note = { note: 'By hand, BCA 4711' };
  for (const how of ['write-off', 'mark-refunded'] as const)
    expect(codeOf(await invoices.resolve(admin, lost.unmatched_id, how, note))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  const before = [await house('invoice-write-offs'), await house('invoice-elsewhere')];
  const [, off] = await invoices.resolve(operator, lost.unmatched_id, 'write-off', note);
  expect(off.data).toMatchObject({ status: 'WRITTEN_OFF', owed: '0.00', settled_note: note.note });
  const [, refunded] = await invoices.resolve(operator, back.unmatched_id, 'mark-refunded', note);
  expect(refunded.data.status).toBe('REFUNDED');
  const after = [await house('invoice-write-offs'), await house('invoice-elsewhere')];
  expect(after.map((units, n) => units - (before[n] ?? 0n))).toEqual([2_000_000n, 2_000_000n]);
  expect(
    codeOf(await invoices.resolve(operator, lost.unmatched_id, 'mark-refunded', note)),
  ).toEqual([409, 'INVALID_STATUS']);
});

test('another client’s money does not exist', async () => {
  const { unmatched_id } = await stray();
  const stranger = await h.user({ role: 'admin' });
  const read = (as: typeof admin) =>
    h.call('GET /payment-gateway/unmatched/{unmatched_id}', { as, params: { unmatched_id } });
  expect(codeOf(await read(stranger))).toEqual([404, 'NOT_FOUND']);
  expect((await read(admin))[1].data.unmatched_id).toBe(unmatched_id);
  const [, { data }] = await h.call('GET /payment-gateway/unmatched', { as: stranger });
  expect(data.items).toEqual([]);
  const query = { status: 'OPEN', limit: 1 };
  const [, page] = await h.call('GET /payment-gateway/unmatched', { as: admin, query });
  expect(page.data.items).toMatchObject([{ unmatched_id }]);
});

test('money whose call-back got lost is booked by the statement of the gateway', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  await payInvoice({ records: createRecords(h.db), clock: h.clock }, payment_id);
  const [rail] = h.app.features.rails.filter(({ name }) => name === 'invoices');
  const at = h.clock.now().getTime();
  const window = { from: new Date(at - 7_200_000), to: new Date(at + 3_600_000) };
  const theirs = async () => {
    const page = await rail?.theirs(window);
    return page?.kind === 'done' ? page.value.lines : [];
  };
  await theirs();
  await h.drain();
  expect((await invoices.read(merchant, invoice_id))[1].data.status).toBe('PAID');
  const sums = (lines: readonly BookLine[]) =>
    lines.map(({ reference, units }) => `${reference} ${units}`).toSorted();
  const ours = (await rail?.ours(h.db, window))?.lines ?? [];
  expect(ours.length).toBeGreaterThan(5);
  expect(sums(ours)).toEqual(sums(await theirs()));
  const [purchases] = h.app.features.rails.filter(({ name }) => name === 'gateway');
  expect(await purchases?.theirs(window)).toMatchObject({ kind: 'done', value: { lines: [] } });
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
