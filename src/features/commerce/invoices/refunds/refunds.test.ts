import { expect, test } from 'vitest';
import { cardUser } from '#test/cards.ts';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';

const h = await harness();
const invoices = invoicesOf(h);
const { client_id } = await h.client();
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

/** An invoice of 20.00 that is paid, with its two sides. */
async function paid() {
  const merchant = await h.user({ client_id });
  const { invoice_id } = await invoices.created(merchant);
  const payer = await invoices.payer(client_id, '100.00');
  await invoices.pay(payer.person, invoice_id, payer.wallet_id);
  return { merchant, invoice_id, payer, money: cardUser(h, merchant) };
}

test('a refund in parts goes back to the payer, and both sides see it', async () => {
  const { merchant, invoice_id, payer, money } = await paid();
  const [status, { data }] = await invoices.refund(merchant, invoice_id, {
    amount: '5.00',
    reference: `refund-${invoice_id}`,
  });
  expect([status, data]).toMatchObject([
    201,
    {
      refund_id: expect.stringMatching(/^rfd_/),
      invoice_id,
      amount: '5.00',
      reason: 'Broken',
      reference: `refund-${invoice_id}`,
      status: 'SUCCEEDED',
    },
  ]);
  expect(await money.balance()).toEqual([1_500n, 0n]);
  expect(await payer.cards.balance()).toEqual([8_200n, 0n]);
  const [, part] = await invoices.read(merchant, invoice_id);
  expect(part.data).toMatchObject({ refund_status: 'PARTIAL', refunded_amount: '5.00' });
  const [, rest] = await invoices.refund(merchant, invoice_id);
  expect(rest.data.amount).toBe('15.00');
  const [, full] = await invoices.read(merchant, invoice_id);
  expect(full.data).toMatchObject({ refund_status: 'FULL', status: 'PAID' });
  const [, list] = await h.call('GET /payment-gateway/invoices/{invoice_id}/refunds', {
    as: merchant,
    params: { invoice_id },
  });
  expect(list.data.items.map(({ amount }: Body) => amount)).toEqual(['15.00', '5.00']);
  const [, seen] = await h.call('GET /payments', { as: payer.person, query: { rail: 'invoice' } });
  expect(seen.data.items[0]).toMatchObject({ status: 'REFUNDED', refunded_amount: '20.00' });
});

test('twenty refunds at once give back no more than was paid', async () => {
  const { merchant, invoice_id, payer } = await paid();
  // The merchant has more than this invoice has brought.
  await cardUser(h, merchant).topUp('500.00');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => invoices.refund(merchant, invoice_id, { amount: '3.00' })),
  );
  expect(answers.filter(([status]) => status === 201)).toHaveLength(6);
  const [, { error }] = answers.find(([status]) => status !== 201) ?? [0, {}];
  expect([error.code, error.details]).toEqual([
    'REFUND_EXCEEDS_PAID',
    { refundable: '2.00', currency: 'USD' },
  ]);
  expect(await payer.cards.balance()).toEqual([9_500n, 0n]);
});

test('a refund that the wallet cannot pay gives nothing back', async () => {
  const { merchant, invoice_id, payer } = await paid();
  const other = await h.user({ client_id });
  const owed = await invoices.created(other, { amount: '15.00' });
  const from = (await invoices.read(merchant, invoice_id))[1].data.wallet_id;
  expect((await invoices.pay(merchant, owed.invoice_id, from))[0]).toBe(201);
  const refused = await invoices.refund(merchant, invoice_id);
  expect(codeOf(refused)).toEqual([400, 'INSUFFICIENT_BALANCE']);
  expect(await payer.cards.balance()).toEqual([7_700n, 0n]);
  const [, { data }] = await invoices.read(merchant, invoice_id);
  expect(data).toMatchObject({ refund_status: 'NONE', refunded_amount: '0.00' });
});

test('what is not paid, not one’s own or paid long ago is not refunded', async () => {
  const { merchant, invoice_id, payer } = await paid();
  const open = await invoices.created(merchant, { expires_in_s: 2_592_000 });
  expect(codeOf(await invoices.refund(merchant, open.invoice_id))).toEqual([409, 'INVALID_STATUS']);
  const admin = await h.user({ role: 'admin', client_id });
  for (const as of [payer.person, await h.user(), admin])
    expect(codeOf(await invoices.refund(as, invoice_id))).toEqual([404, 'NOT_FOUND']);
  await h.db
    .updateTable('invoices')
    .set({ paid_at: '2026-01-01T00:00:00Z' })
    .where('object_id', '=', invoice_id)
    .execute();
  expect(codeOf(await invoices.refund(merchant, invoice_id))).toEqual([409, 'REFUND_WINDOW_OVER']);
});

test('the list of refunds is narrowed by name and time, and comes as a table', async () => {
  const { merchant, invoice_id } = await paid();
  const reference = `part-${invoice_id}`;
  await invoices.refund(merchant, invoice_id, { amount: '1.00', reference });
  await invoices.refund(merchant, invoice_id, { amount: '2.00' });
  const list = (query: object, headers = {}) =>
    h.call('GET /payment-gateway/invoices/{invoice_id}/refunds', {
      as: merchant,
      params: { invoice_id },
      query: query as Record<string, string>,
      headers,
    });
  const amounts = async (query: object) =>
    (await list(query))[1].data.items.map(({ amount }: Body) => amount);
  expect(await amounts({ reference })).toEqual(['1.00']);
  expect(await amounts({ status: 'SUCCEEDED' })).toEqual(['2.00', '1.00']);
  expect(await amounts({ created_to: '2026-01-01T00:00:00.000Z' })).toEqual([]);
  const [, first] = await list({ limit: '1' });
  expect(await amounts({ limit: '1', cursor: first.data.next_cursor })).toEqual(['1.00']);
});
