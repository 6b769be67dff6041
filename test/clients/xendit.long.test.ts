// Long: it loads the provider's own library.

import { expect, test } from 'vitest';
import { Xendit } from 'xendit-node';
import { doneBy, newReference, payoutWish, testGateway } from '#test/gateway.ts';

const { sandbox, settings, gateway, wish, payment, pay } = await testGateway();
const client = (secretKey = settings.key) => new Xendit({ secretKey, xenditURL: settings.url() });
const PAYOUT = {
  referenceId: 'XENDIT-1',
  channelCode: 'ID_BCA',
  channelProperties: { accountNumber: '1234567890', accountHolderName: 'Siti Rahma' },
  amount: 45_000,
  currency: 'IDR',
};
const payoutOf = (fields: object = {}) => {
  const referenceId = newReference('OUT');
  return { idempotencyKey: referenceId, data: { ...PAYOUT, referenceId, ...fields } };
};

test('xendit-node reads, lists and expires an invoice', async () => {
  const { reference } = await payment();
  const { Invoice } = client();
  const [listed] = await Invoice.getInvoices({ externalId: reference });
  const invoiceId = listed?.id ?? '';
  expect(await Invoice.getInvoiceById({ invoiceId })).toMatchObject({
    externalId: reference,
    status: 'PENDING',
  });
  expect(await Invoice.expireInvoice({ invoiceId })).toMatchObject({ status: 'EXPIRED' });
  expect(await Invoice.getInvoices({ limit: 1 })).toHaveLength(1);
});

test('xendit-node makes an invoice from a reference and an amount alone', async () => {
  const { Invoice } = client();
  const externalId = newReference('INV');
  const made = await Invoice.createInvoice({ data: { externalId, amount: 20_000.75 } });
  expect(made).toMatchObject({ externalId, amount: 20_000, status: 'PENDING', currency: 'IDR' });
  const timed = await Invoice.createInvoice({
    data: { externalId: newReference('INV'), amount: 20_000, invoiceDuration: 3600 },
  });
  expect(timed.expiryDate.getTime() - timed.created.getTime()).toBe(3_600_000);
  await expect(
    Invoice.createInvoice({ data: { externalId, amount: 100.5, currency: 'PHP' } }),
  ).rejects.toMatchObject({ status: 400, errorCode: 'UNSUPPORTED_CURRENCY' });
});

test('a second invoice of one reference is another one, and expiring ends all of them', async () => {
  const request = wish();
  doneBy(await gateway.createPayment(request));
  const externalId = request.reference;
  const { Invoice } = client();
  const second = await Invoice.createInvoice({ data: { externalId, amount: 25_000 } });
  const listed = await Invoice.getInvoices({ externalId });
  expect(listed.map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
  expect(second.id).toBe(listed[0]?.id);
  expect(doneBy(await gateway.expirePayment(externalId)).status).toBe('EXPIRED');
  const after = await Invoice.getInvoices({ externalId });
  expect(after.map(({ status }) => status)).toEqual(['EXPIRED', 'EXPIRED']);
});

test('xendit-node makes, reads, lists and cancels a pay-out', async () => {
  const { Payout } = client();
  const asked = payoutOf();
  const made = await Payout.createPayout(asked);
  expect(made).toMatchObject({ referenceId: asked.data.referenceId, status: 'ACCEPTED' });
  expect(await Payout.createPayout(asked)).toMatchObject({ id: made.id });
  expect(await Payout.getPayoutById({ id: made.id })).toMatchObject({ id: made.id });
  const listed = await Payout.getPayouts({ referenceId: asked.data.referenceId });
  expect(listed.data?.map(({ id }) => id)).toEqual([made.id]);
  expect(await Payout.cancelPayout({ id: made.id })).toMatchObject({ status: 'CANCELLED' });
  await expect(Payout.cancelPayout({ id: made.id })).rejects.toMatchObject({ status: 409 });
  expect(doneBy(await gateway.findPayout(asked.data.referenceId))?.status).toBe('FAILED');
  const channels = await Payout.getPayoutChannels({});
  expect(channels.map(({ channelCode }) => channelCode)).toContain('ID_BCA');
});

test('an idempotency key with another body pays nothing', async () => {
  const { Payout } = client();
  const { idempotencyKey, data } = payoutOf();
  await Payout.createPayout({ idempotencyKey, data });
  const referenceId = newReference('OUT');
  await expect(
    Payout.createPayout({ idempotencyKey, data: { ...data, referenceId } }),
  ).rejects.toMatchObject({ status: 409, errorCode: 'DUPLICATE_ERROR' });
  expect((await Payout.getPayouts({ referenceId })).data).toEqual([]);
});

test.each([
  ['CHANNEL_CODE_NOT_SUPPORTED_ERROR', { channelCode: 'ID_NOSUCHBANK' }],
  ['RECIPIENT_AMOUNT_ERROR', { amount: 1 }],
  ['MAXIMUM_TRANSFER_LIMIT_ERROR', { channelCode: 'ID_OVO', amount: 20_000_001 }],
])('a pay-out is refused by %s', async (errorCode, fields) => {
  await expect(client().Payout.createPayout(payoutOf(fields))).rejects.toMatchObject({
    status: 400,
    errorCode,
  });
});

test('what the account does not have is accepted, and fails', async () => {
  const wanted = payoutWish();
  await sandbox.control('POST /gateway/account', { credit: 0 });
  const accepted = doneBy(await gateway.createPayout({ ...wanted, units: 90_000_000_000_000n }));
  expect(accepted.status).toBe('PENDING');
  await expect
    .poll(async () => doneBy(await gateway.findPayout(wanted.reference)))
    .toMatchObject({ status: 'FAILED', failureCode: 'INSUFFICIENT_BALANCE' });
});

test('xendit-node reads a line of the statement', async () => {
  const { reference } = await payment();
  await pay(reference);
  const { Transaction } = client();
  const { data } = await Transaction.getAllTransactions({ referenceId: reference });
  const id = data[0]?.id ?? '';
  expect(await Transaction.getTransactionByID({ id })).toMatchObject({ referenceId: reference });
});

test('xendit-node reads the code of a wrong key', async () => {
  await expect(client('other').Payout.createPayout(payoutOf())).rejects.toMatchObject({
    status: 401,
    errorCode: 'INVALID_API_KEY',
  });
});
