// Long: it loads the provider's own library.

import { expect, test } from 'vitest';
import { Xendit } from 'xendit-node';
import { testGateway } from '#test/gateway.ts';

const { sandbox, settings, payment } = await testGateway();
const client = (secretKey = settings.key) => new Xendit({ secretKey, xenditURL: settings.url() });
const PAYOUT = {
  referenceId: 'XENDIT-1',
  channelCode: 'ID_BCA',
  channelProperties: { accountNumber: '1234567890', accountHolderName: 'Siti Rahma' },
  amount: 45_000,
  currency: 'IDR',
  description: 'Redeem',
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
});

test('xendit-node creates a payout, and reads the code of a wrong key', async () => {
  const wish = { idempotencyKey: 'XENDIT-1', data: PAYOUT };
  expect(await client().Payout.createPayout(wish)).toMatchObject({
    referenceId: 'XENDIT-1',
    status: 'ACCEPTED',
  });
  await expect(client('other').Payout.createPayout(wish)).rejects.toMatchObject({
    status: 401,
    errorCode: 'INVALID_API_KEY',
  });
  expect(await sandbox.world.records.list('gateway', 'payout', {})).toHaveLength(1);
});
