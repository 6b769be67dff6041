import { beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { houseBalance } from '#test/cards.ts';
import { gatewayOf } from '#test/gateway-controls.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';
import { bankEnd, payoutState } from '#test/payouts.ts';
import { bankRefunds } from '#test/refunds.ts';

/** Against the simulated gateway, which is late, lies and takes money back. */
const h = await harness({ mock: false, config: { JWT_TTL: '10000000' } });
await h.drain();
const invoices = invoicesOf(h);
const gateway = gatewayOf(h);
const refunds = bankRefunds(h);
const { client_id } = await h.client();
beforeEach(() => gateway.calm());

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const polled = async (minutes = 11) => {
  await h.advance(minutes * 60);
  await h.drain();
};
async function sound() {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await gateway.balance()).toBe(-(await houseBalance(h, 'gateway', 'IDR')));
}

/** A merchant with an invoice of 50,000 that was paid, and a recipient. */
async function merchantPaid(body: object = {}) {
  const as = await h.user({ client_id });
  const { invoice_id } = await refunds.paid(as, body);
  const recipient_id = await refunds.recipient(as);
  const invoice = async () => (await invoices.read(as, invoice_id))[1].data;
  const refund = (more: object = {}) => invoices.refund(as, invoice_id, { recipient_id, ...more });
  const read = (id: string) => refunds.one(as, invoice_id, id);
  const wallet = () => refunds.wallet(as);
  return { as, invoice_id, invoice, refund, read, wallet };
}

test('a refund is held, counts against what was paid, and is back once the bank has it', async () => {
  const { as, refund, read, invoice, wallet } = await merchantPaid();
  const [status, { data }] = await refund({ amount: '20000', reference: `back-${as.user_id}` });
  expect([status, data]).toMatchObject([
    201,
    {
      amount: '20000.00',
      way: 'bank',
      payee: { name: 'Siti Rahma', detail: expect.stringMatching(/^BCA \*{4}\d{4}$/) },
      claim_url: null,
      reference: `back-${as.user_id}`,
      status: 'PENDING',
      substatus: 'waiting_for_provider',
    },
  ]);
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '20000.00' });
  expect(await invoice()).toMatchObject({ refunded_amount: '0.00', refund_status: 'NONE' });
  const [, { error }] = await refund({ amount: '30001' });
  expect([error.code, error.details.refundable]).toEqual(['REFUND_EXCEEDS_PAID', '30000.00']);
  await bankEnd(h, data.refund_id, 'complete');
  await polled();
  expect(await read(data.refund_id)).toMatchObject({
    status: 'SUCCEEDED',
    provider_reference: expect.stringContaining('disb-'),
  });
  expect(await wallet()).toEqual({ balance: 3_000_000n, held: '0.00' });
  expect(await invoice()).toMatchObject({ refunded_amount: '20000.00', refund_status: 'PARTIAL' });
  const [, list] = await h.call('GET /payments', { as, query: { rail: 'invoice' } });
  expect(list.data.items.map(({ kind, status: one }: Body) => [kind, one])).toEqual([
    ['refund', 'SUCCEEDED'],
    ['va', 'PARTIALLY_REFUNDED'],
  ]);
  await sound();
});

test('what the bank refuses is free again, and can be tried once more', async () => {
  const { refund, read, invoice, wallet } = await merchantPaid();
  const [, { data }] = await refund();
  await bankEnd(h, data.refund_id, 'fail');
  await polled();
  expect(await read(data.refund_id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'PROVIDER_REJECTED', retryable: true, provider_code: expect.any(String) },
  });
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '0.00' });
  expect((await refund())[0]).toBe(201);
  expect(await invoice()).toMatchObject({ refunded_amount: '0.00' });
  await sound();
});

test('what the bank sends back later is the merchant’s again, once', async () => {
  const { refund, read, invoice, wallet } = await merchantPaid();
  const [, { data }] = await refund();
  await bankEnd(h, data.refund_id, 'complete');
  await polled();
  expect(await invoice()).toMatchObject({ refund_status: 'FULL' });
  await bankEnd(h, data.refund_id, 'reverse');
  await polled();
  await polled(61);
  expect(await payoutState(h, data.refund_id)).toBe('RETURNED');
  expect(await read(data.refund_id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'RETURNED', retryable: true },
  });
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '0.00' });
  expect(await invoice()).toMatchObject({ refunded_amount: '0.00', refund_status: 'NONE' });
  await sound();
});

test('an answer that is lost is in doubt, is looked up, and pays once', async () => {
  const { refund, read, wallet } = await merchantPaid();
  const before = await gateway.balance();
  await gateway.spoil('commit-then-drop');
  await gateway.spoil('error', 3);
  const [status, { data }] = await refund();
  expect([status, data]).toMatchObject([201, { status: 'PENDING', substatus: 'in_doubt' }]);
  expect(data.in_doubt_since).not.toBeNull();
  await gateway.calm();
  await polled();
  await bankEnd(h, data.refund_id, 'complete');
  await polled(61);
  expect(await read(data.refund_id)).toMatchObject({ status: 'SUCCEEDED', substatus: null });
  expect((await gateway.balance()) - before).toBe(-5_000_000n);
  expect(await wallet()).toEqual({ balance: 0n, held: '0.00' });
  await sound();
});

test('what is paid after it was called failed is a claim, and the merchant keeps the money', async () => {
  const { refund, read, wallet } = await merchantPaid();
  const [, { data }] = await refund();
  await bankEnd(h, data.refund_id, 'fail');
  await polled();
  const claims = await houseBalance(h, 'payout-disputed', 'IDR');
  await bankEnd(h, data.refund_id, 'complete-late');
  await polled(61);
  expect((await read(data.refund_id)).status).toBe('FAILED');
  expect(await wallet()).toEqual({ balance: 5_000_000n, held: '0.00' });
  expect((await houseBalance(h, 'payout-disputed', 'IDR')) - claims).toBe(-5_000_000n);
  await sound();
});

test('twenty refunds at once, to banks and by link, give back no more than was paid', async () => {
  const { as, invoice_id, refund, wallet } = await merchantPaid();
  await refunds.paid(as);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? refund({ amount: '12000' })
        : invoices.refund(as, invoice_id, { amount: '12000' }),
    ),
  );
  expect(answers.filter(([status]) => status === 201)).toHaveLength(4);
  const other = answers.find(([status]) => status !== 201) ?? [0, {}];
  expect(codeOf(other)).toEqual([409, 'REFUND_EXCEEDS_PAID']);
  expect(await wallet()).toEqual({ balance: 10_000_000n, held: '48000.00' });
});

test('a repeated request answers the same refund, and pays once', async () => {
  const { as, invoice_id } = await merchantPaid();
  const ask = () => invoices.refund(as, invoice_id, { amount: '10000' }, 'refund-again');
  const [[, first], [, second]] = [await ask(), await ask()];
  expect(second.data).toEqual(first.data);
});

test('only what banks take goes to an account of one’s own that is old enough', async () => {
  const { as, invoice_id, refund } = await merchantPaid();
  expect(codeOf(await refund({ amount: '100.50' }))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await refund({ amount: '100' }))).toEqual([400, 'AMOUNT_BELOW_MINIMUM']);
  const stranger = await refunds.recipient(await h.user({ client_id }));
  expect(codeOf(await refund({ recipient_id: stranger }))).toEqual([404, 'NOT_FOUND']);
  const admin = await h.user({ role: 'admin', client_id });
  expect(codeOf(await invoices.refund(admin, invoice_id))).toEqual([404, 'NOT_FOUND']);
  const changed = await refunds.recipient(as);
  await h.call('PATCH /recipients/{recipient_id}', {
    as,
    params: { recipient_id: changed },
    body: { details: { bank_code: 'BNI', account_number: '7700112233' } },
  });
  expect(codeOf(await refund({ recipient_id: changed }))).toEqual([409, 'RECIPIENT_UNAVAILABLE']);
});
