import { expect, test } from 'vitest';
import { paymentOf, type WireInvoice } from './xendit-wire.ts';

const invoice = (available_banks?: unknown[]): WireInvoice => ({
  id: '5aaf1d929a868d201e806854',
  external_id: 'ipm-1',
  status: 'PENDING',
  amount: 50_000,
  invoice_url: 'https://pay.example.com/web/invoices/5aaf1d929a868d201e806854',
  ...(available_banks && { available_banks }),
});
const mandiri = {
  bank_code: 'MANDIRI',
  collection_type: 'POOL',
  bank_account_number: '88608102142',
  transfer_amount: 50_000,
  bank_branch: 'Virtual Account',
  account_holder_name: 'LAMP SHOP',
  identity_amount: 0,
};

test('virtual accounts are those that have a number', () => {
  const { bank_account_number: _, ...unnumbered } = mandiri;
  expect(paymentOf(invoice([mandiri, { ...unnumbered, bank_code: 'BRI' }]))?.accounts).toEqual([
    { bankCode: 'MANDIRI', accountNumber: '88608102142', accountName: 'LAMP SHOP' },
  ]);
});

test('without one of them the page of the gateway is the way', () => {
  for (const banks of [undefined, [], [null], [{ ...mandiri, bank_account_number: '12 34' }]]) {
    const payment = paymentOf(invoice(banks));
    expect(payment?.paymentUrl).toContain('/web/invoices/');
    expect(payment).not.toHaveProperty('accounts');
  }
});
