import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
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
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const read = async (invoice_id: string) => (await invoices.read(merchant, invoice_id))[1].data;
const paymentOf = async (id: string) => (await invoices.payment(merchant, id))[1].data;
const house = (purpose: string) => houseBalance(h, purpose, 'IDR');
const charge = (method: string, flat: string, bps = 0) =>
  h.call('PUT /fees', {
    as: admin,
    body: { rows: [{ rail: 'invoice', method, currency: 'IDR', flat, bps }] },
  });
/** Paid at the gateway, whose call-back gets lost. */
const payUnheard = (reference: string) =>
  payInvoice({ records: createRecords(h.db), clock: h.clock }, reference);

test('an invoice is paid on the page of the gateway, and its merchant has the money less the fee', async () => {
  await charge('va', '4000');
  const { invoice_id } = await invoices.rupiah(merchant);
  const begun = await invoices.begun(merchant, invoice_id);
  expect(begun).toMatchObject({
    payment_id: expect.stringMatching(/^ipm_/),
    invoice_id,
    method: 'va',
    amount: '50000.00',
    fee: '4000.00',
    net: '46000.00',
    status: 'REQUIRES_ACTION',
    substatus: 'waiting_for_person',
    action: { type: 'virtual_account', url: expect.stringContaining('/gateway/web/invoices/') },
  });
  expect(await read(invoice_id)).toMatchObject({ status: 'OPEN', to_pay: '50000.00' });
  const [before, fees] = [await rupiahOf(h, merchant), await house('invoice-fees')];
  await gateway.pay(begun.payment_id);
  expect(await read(invoice_id)).toMatchObject({
    status: 'PAID',
    to_pay: '0.00',
    paid_amount: '50000.00',
    payments: [{ payment_id: begun.payment_id, status: 'SUCCEEDED', action: null }],
  });
  expect((await rupiahOf(h, merchant)) - before).toBe(4_600_000n);
  expect((await house('invoice-fees')) - fees).toBe(400_000n);
  const [, list] = await h.call('GET /payments', { as: merchant, query: { rail: 'invoice' } });
  expect(list.data.items[0]).toMatchObject({
    kind: 'va',
    direction: 'in',
    amount: '50000.00',
    fee: '4000.00',
    status: 'SUCCEEDED',
  });
  await charge('va', '0');
});

test('where the customer bears the fee the gateway asks for it on top, in whole rupiah', async () => {
  await charge('qris', '0', 70);
  const { invoice_id } = await invoices.rupiah(merchant, {
    amount: '33333',
    fee_bearer: 'customer',
  });
  const begun = await invoices.begun(merchant, invoice_id, 'qris');
  expect(begun).toMatchObject({ amount: '33567.00', fee: '234.00', net: '33333.00' });
  const before = await rupiahOf(h, merchant);
  await gateway.pay(begun.payment_id);
  expect((await rupiahOf(h, merchant)) - before).toBe(3_333_300n);
  await charge('qris', '0');
});

test('a lesser sum pays nothing, and is owed to its payer', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  const [before, held] = [await rupiahOf(h, merchant), await house('invoice-unmatched')];
  await gateway.pay(payment_id, { amount: 20_000 });
  await h.drain();
  expect(await paymentOf(payment_id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'UNDERPAID', retryable: true },
  });
  expect(await read(invoice_id)).toMatchObject({ status: 'OPEN', paid_amount: '0.00' });
  expect(await invoices.unmatched(admin, invoice_id)).toMatchObject([
    { reason: 'UNDERPAID', amount: '20000.00', owed: '20000.00', status: 'OPEN', payment_id },
  ]);
  expect(await rupiahOf(h, merchant)).toBe(before);
  expect((await house('invoice-unmatched')) - held).toBe(2_000_000n);
});

test('too much pays the invoice, and the rest is owed', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  const before = await rupiahOf(h, merchant);
  await gateway.pay(payment_id, { amount: 60_000 });
  await h.drain();
  expect((await read(invoice_id)).status).toBe('PAID');
  expect((await rupiahOf(h, merchant)) - before).toBe(5_000_000n);
  expect(await invoices.unmatched(admin, invoice_id)).toMatchObject([
    { reason: 'OVERPAID', amount: '10000.00' },
  ]);
});

test('a second payment and one that comes too late are owed, and never change the invoice', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  await gateway.pay(payment_id);
  await gateway.pay(payment_id, { amount: 50_000 });
  const late = await invoices.rupiah(merchant, { expires_in_s: 300 });
  const overdue = await invoices.begun(merchant, late.invoice_id);
  await h.advance(301);
  await h.drain();
  await h.advance(60);
  await h.drain();
  expect((await read(late.invoice_id)).status).toBe('EXPIRED');
  expect(await paymentOf(overdue.payment_id)).toMatchObject({
    status: 'CANCELLED',
    failure: { code: 'EXPIRED' },
  });
  await gateway.pay(overdue.payment_id, { amount: 50_000 });
  await h.drain();
  expect(await invoices.unmatched(admin, invoice_id)).toMatchObject([{ reason: 'DUPLICATE' }]);
  expect(await invoices.unmatched(admin, late.invoice_id)).toMatchObject([{ reason: 'LATE' }]);
  expect((await read(late.invoice_id)).status).toBe('EXPIRED');
});

test('parts wait until all is there, and the merchant gets it at once', async () => {
  const { invoice_id } = await invoices.rupiah(merchant, { allow_partial: true });
  const first = await invoices.begun(merchant, invoice_id);
  const [before, waiting] = [await rupiahOf(h, merchant), await house('invoice-partial')];
  await gateway.pay(first.payment_id, { amount: 20_000 });
  await h.drain();
  expect(await read(invoice_id)).toMatchObject({
    status: 'PARTIALLY_PAID',
    to_pay: '30000.00',
    paid_amount: '20000.00',
  });
  expect(await rupiahOf(h, merchant)).toBe(before);
  expect((await house('invoice-partial')) - waiting).toBe(2_000_000n);
  const rest = await invoices.begun(merchant, invoice_id, 'qris');
  expect(rest.amount).toBe('30000.00');
  await gateway.pay(rest.payment_id);
  expect((await read(invoice_id)).status).toBe('PAID');
  expect((await rupiahOf(h, merchant)) - before).toBe(5_000_000n);
  expect(await house('invoice-partial')).toBe(waiting);
});

test('parts of an invoice that is cancelled are owed to their payers', async () => {
  const { invoice_id } = await invoices.rupiah(merchant, { allow_partial: true });
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  await gateway.pay(payment_id, { amount: 20_000 });
  await h.drain();
  const waiting = await house('invoice-partial');
  const [status, { data }] = await invoices.cancel(merchant, invoice_id);
  expect([status, data.status, data.paid_amount]).toEqual([200, 'CANCELLED', '0.00']);
  expect(waiting - (await house('invoice-partial'))).toBe(2_000_000n);
  expect(await invoices.unmatched(admin, invoice_id)).toMatchObject([{ amount: '20000.00' }]);
});

test('a new payment of a method ends the one before at the gateway, unless that was paid by then', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const first = await invoices.begun(merchant, invoice_id);
  const second = await invoices.begun(merchant, invoice_id);
  expect(await paymentOf(first.payment_id)).toMatchObject({ status: 'CANCELLED', failure: null });
  await expect(gateway.pay(first.payment_id)).rejects.toMatchObject({ body: { code: 'CONFLICT' } });
  // Its call-back is lost.
  await payUnheard(second.payment_id);
  expect(codeOf(await invoices.begin(merchant, invoice_id))).toEqual([409, 'INVALID_STATUS']);
  expect((await read(invoice_id)).status).toBe('PAID');
});

test('what is tried for an invoice ends with it, and a wallet may be faster', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const va = await invoices.begun(merchant, invoice_id);
  const qris = await invoices.begun(merchant, invoice_id, 'qris');
  await gateway.pay(qris.payment_id);
  await h.drain();
  expect((await paymentOf(va.payment_id)).status).toBe('CANCELLED');
  const other = await invoices.rupiah(merchant);
  const open = await invoices.begun(merchant, other.invoice_id);
  expect((await invoices.callOff(merchant, open.payment_id))[1].data.status).toBe('CANCELLED');
  expect((await invoices.callOff(merchant, open.payment_id))[0]).toBe(200);
  expect(codeOf(await invoices.callOff(merchant, qris.payment_id))).toEqual([
    409,
    'INVALID_STATUS',
  ]);
  expect(codeOf(await invoices.callOff(await h.user(), open.payment_id))[0]).toBe(404);
});

test('a forged call-back pays nothing, and a genuine one of twenty pays once', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  const { payment_id } = await invoices.begun(merchant, invoice_id);
  const body = { id: 'x', external_id: payment_id, status: 'PAID', paid_amount: 50_000 };
  const forged = await h.call('POST /payment-gateway/callback', {
    as: 'nobody',
    body,
    headers: { 'x-callback-token': 'wrong' },
  });
  expect(codeOf(forged)).toEqual([401, 'INVALID_SIGNATURE']);
  await h.call('POST /idrtoken/callback/payment', { as: 'nobody', body });
  await h.drain();
  expect((await read(invoice_id)).status).toBe('OPEN');
  const before = await rupiahOf(h, merchant);
  await payUnheard(payment_id);
  const headers = { 'x-callback-token': h.app.kernel.config.GATEWAY_CALLBACK_TOKEN };
  const calls = Array.from({ length: 20 }, () =>
    h.call('POST /payment-gateway/callback', { as: 'nobody', body, headers }),
  );
  expect(new Set((await Promise.all(calls)).map(([status]) => status))).toEqual(new Set([200]));
  await h.drain();
  expect((await read(invoice_id)).status).toBe('PAID');
  expect((await rupiahOf(h, merchant)) - before).toBe(5_000_000n);
});

test('a gateway that does not answer leaves the payment open, and is asked again', async () => {
  const { invoice_id } = await invoices.rupiah(merchant);
  await gateway.spoil('commit-then-drop', 1);
  const [status, { data }] = await invoices.begin(merchant, invoice_id);
  expect([status, data.status]).toEqual([201, 'REQUIRES_ACTION']);
  await h.advance(30);
  await h.drain();
  const found = await paymentOf(data.payment_id);
  expect(found.action.type).toBe('virtual_account');
  await gateway.pay(data.payment_id);
  expect((await read(invoice_id)).status).toBe('PAID');
});

test('a way to pay that is not offered, or not for such an amount, says why', async () => {
  const { invoice_id } = await invoices.created(merchant);
  expect(codeOf(await invoices.begin(merchant, invoice_id))).toEqual([400, 'METHOD_NOT_AVAILABLE']);
  const small = await invoices.rupiah(merchant, { amount: '5000' });
  const [, { error }] = await invoices.begin(merchant, small.invoice_id);
  expect(error.details).toEqual({ reason: 'TOO_SMALL', min: '10000.00', max: '50000000.00' });
  const [, { data }] = await h.call('GET /payment-gateway/methods', {
    as: merchant,
    query: { currency: 'IDR', amount: '5000' },
  });
  expect(data.map(({ method, refunds }: Body) => [method, refunds])).toEqual([
    ['qris', 'in_parts'],
    ['ewallet', 'in_parts'],
    ['wallet', 'in_parts'],
  ]);
});

test('the ledger adds up, and the books of the gateway agree', async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await gateway.balance()).toBe(-(await house('gateway')));
});
