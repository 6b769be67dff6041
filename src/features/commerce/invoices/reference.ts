import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const INVOICES_WORDS: FeatureWords = {
  tags: {
    invoices: {
      group: 'Fiat',
      text: 'Money that merchants ask for. An invoice is what is owed; each try to pay it is a payment of its own.',
    },
    invoiceRefunds: {
      group: 'Fiat',
      text: 'Money of paid invoices that is given back, never more than was paid.',
    },
  },
  descriptions: {
    'invoices.create':
      'It is paid as a whole. What `split` names goes to the other wallets in the posting that pays it; the rest, less the fee of the moment, arrives in the wallet of the invoice. `invoice.created` follows.',
    'invoices.list':
      'Users see their own, admins those of their client. A page with filters looks through a thousand invoices: it may be short although the list goes on.',
    'invoices.cancel':
      'Only while it is OPEN. Its merchant does so, or an admin of the client. `invoice.cancelled` follows.',
    'invoices.pay':
      'By any other person of the client who has its id; of several at once one pays. A policy of transfers may deny it; it cannot wait for an approval. `payment.succeeded` and `invoice.paid` follow.',
    'invoiceRefunds.create':
      'To the wallet that has paid, out of that of the invoice, within 180 days. Wallets that got a part keep it, and fees are not given back. `refund.succeeded` and `invoice.refunded` follow.',
  },
  values: {
    fee_bearer: {
      merchant: 'The fee is taken off what arrives',
      customer: 'The fee comes on top of the amount',
    },
    refund_status: {
      NONE: 'Nothing was given back',
      PARTIAL: 'A part was given back',
      FULL: 'All was given back',
    },
    'InvoicePayment.method': { wallet: 'From a wallet of a person of the same client' },
    'InvoicePaymentEventData.method': { wallet: 'From a wallet of a person of the same client' },
    'PaymentOfInvoice.method': { wallet: 'From a wallet of a person of the same client' },
  },
  places: {
    'Invoice.substatus': 'waiting_for_person',
    'InvoicePayment.substatus': 'waiting_for_provider',
    'PaymentOfInvoice.substatus': 'waiting_for_provider',
    'InvoiceRefund.substatus': 'waiting_for_provider',
    'InvoiceSplit.percent': '2.50',
  },
  meanings: {
    customer: 'Of whom the money is asked',
    invoice_id: 'The invoice',
    quantity: 'How many of it',
    unit_amount: 'The price of one',
  },
  origins: [
    [/^invoices\.\w+\.invoice_id$/, 'invoices.create'],
    [/^invoiceRefunds\.\w+\.invoice_id$/, 'invoices.create'],
  ],
};
