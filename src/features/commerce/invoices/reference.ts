import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const BY_GATEWAY = {
  qris: 'By a QRIS code',
  va: 'To a virtual account of a bank',
  ewallet: 'By an app of an e-wallet',
};
const INVOICE_METHODS = {
  wallet: 'From a wallet of a person of the same client',
  ...BY_GATEWAY,
  card: 'With a card, on the page of the invoice',
};

const LINK_WORDS = {
  ACTIVE: 'Its button makes invoices',
  PAUSED: 'Its merchant has paused it',
  EXHAUSTED: 'All payments that it takes have arrived',
  EXPIRED: 'Its time is over',
};
const USAGE_WORDS = { once: 'For one payment', many: 'For many payments' };

const INVOICE_WORDS = {
  OPEN: 'It can be paid',
  PROCESSING: 'The payer of one of its payments has acted; the money is being looked for',
  PARTIALLY_PAID: 'A part has come in, and waits for the rest',
  PAID: 'All of it has come in, and is where it belongs',
  EXPIRED: 'It was not paid in time',
  CANCELLED: 'Its merchant has cancelled it',
};
const PAYMENT_WORDS = {
  REQUIRES_ACTION: 'The payer has to act, as `action` says',
  PENDING: 'The payer has acted; the money is being looked for',
  SUCCEEDED: 'The money has come in',
  FAILED: 'The gateway does not take it, or its money pays no invoice',
  CANCELLED: 'It was called off, or was not made in time',
  DISPUTED: 'The card network has taken it back, in whole or in part',
};
const UNMATCHED_WORDS = {
  OPEN: 'A person has to decide what becomes of it',
  REFUNDING: 'It is on its way back, or waits for its payer to name an account',
  ASSIGNED: 'All of it was given to an invoice',
  REFUNDED: 'It went back to its payer',
  WRITTEN_OFF: 'The operator has given it up',
};
const REASONS = {
  LATE: 'The invoice or its payment had ended',
  UNDERPAID: 'Less than was asked for',
  OVERPAID: 'What was more than was asked for',
  DUPLICATE: 'The invoice was paid before',
};
const REFUND_WORDS = {
  PENDING: 'It is on its way to the bank or the card',
  AWAITING_PAYER: 'Its payer has a link, and has not named a bank account or brought the card yet',
  SUCCEEDED: 'It is back',
  FAILED: 'It did not arrive, or came back from the bank; the money is where it came from',
};
const WAYS = {
  wallet: 'To the wallet that has paid',
  bank: 'To a bank account',
  card: 'To the card that has paid, once',
};

/** What the reference says of this feature beside its declarations. */
export const INVOICES_WORDS: FeatureWords = {
  tags: {
    invoices: {
      group: 'Fiat',
      text: 'Money that merchants ask for. An invoice is what is owed; each try to pay it is a payment of its own.',
    },
    invoicePayments: {
      group: 'Fiat',
      text: 'Tries to pay an invoice by the gateway: QRIS, virtual accounts and e-wallets in rupiah.',
    },
    unmatchedPayments: {
      group: 'Fiat',
      text: 'Money that has come in and pays no invoice: too late, once more, too little or too much. People decide.',
    },
    paymentLinks: {
      group: 'Fiat',
      text: 'Addresses by which people pay a merchant without a log-in: once or many times, a fixed amount or one that they name.',
    },
    gatewaySettings: {
      group: 'Fiat',
      text: 'How a client appears to those who pay its invoices, and which ways to pay it offers.',
    },
    checkout: {
      group: 'Fiat',
      title: 'Checkout page',
      text: 'The page on which people pay an invoice. Its key opens this invoice and nothing else.',
    },
    invoiceRefunds: {
      group: 'Fiat',
      text: 'Money of paid invoices that is given back, never more than was paid: to the wallet that has paid, or to a bank.',
    },
  },
  titles: { 'callbacks.receiveInvoicePayment': 'Webhook of the gateway: invoices' },
  descriptions: {
    'invoices.create':
      'It is paid as a whole, or with `allow_partial` in parts, which wait until all is there. What `split` names goes to the other wallets in the posting that pays it; the rest, less the fee of the moment, arrives in the wallet of the invoice. `invoice.created` follows.',
    'paymentLinks.create':
      'With `amount`, or with `min` and `max` for an amount that the payer names; `usage` is `once` or `many`, up to `max_payments`. The money arrives in the wallet of the currency, which is opened. `payment_link.created` follows.',
    'paymentLinks.list':
      'Users see their own, admins those of their client. A page with filters looks through a thousand links: it may be short although the list goes on.',
    'paymentLinks.get': 'With its address, by its merchant or an admin of the client.',
    'paymentLinks.update':
      'While it is ACTIVE or PAUSED: what has ended stays so. Invoices that are open stay as they were asked for. `payment_link.changed` follows.',
    'paymentLinks.setMetadata':
      'By its merchant or an admin of the client, also after it has ended. Keys are merged; null removes one. No event follows.',
    'paymentLinks.show':
      'In English or Indonesian. A look makes nothing. Another key, and a link of a merchant who is stopped, are 404.',
    'paymentLinks.press':
      'As a form of the page sends it, or as JSON. The invoice can be paid for an hour and has one of the places of the link so long; of many presses at once no more come through than there are places. It goes on to the page of the invoice (303). Networks and clients have a budget of presses.',
    'paymentLinks.getLogo': 'Where the client has one in its settings.',
    'checkout.show':
      'In English or Indonesian, by `Accept-Language` or `?lang=`. It names the seller, what is sold, the amount, the time left and the ways to pay; it follows the invoice by itself, and works without script up to its reload. Another key, and an unknown invoice, are 404. The pages that `embed_origins` names may show it in a frame.',
    'checkout.pay':
      'As a form of the page sends it, or as JSON; it goes on to the page (303). A way that is tried already is shown again. What is refused is said on the page, with the status of the refusal. Networks and clients have a budget of such payments.',
    'checkout.payByCard':
      'The card goes to the card network and is stored nowhere. What is wrong with it is said on the page; where the network has not answered, the page waits for it. Pages, cards, networks and clients have a budget of declined ones. `payment.pending`, then `payment.succeeded` with `invoice.paid`, or `payment.failed` follow, and `payment.disputed` after a charge-back.',
    'checkout.cancel':
      'Its tries are ended at the gateway; a payer who was faster has paid. It goes on to the page (303).',
    'checkout.getState':
      'All amounts are those of the server. `mark` is another one after any change.',
    'checkout.follow':
      'Each event is `state`, without data: ask for the state then. It ends after 15 minutes; a network has 20 of them, and a page without one asks every few seconds.',
    'checkout.getLogo': 'Where the client has one in its settings.',
    'invoices.list':
      'Users see their own, admins those of their client. A page with filters looks through a thousand invoices: it may be short although the list goes on.',
    'invoices.cancel':
      'Only while it is OPEN or PARTIALLY_PAID. Its merchant does so, or an admin of the client. Parts that were paid are owed to their payers; what is being tried is ended at the gateway. `invoice.cancelled` follows.',
    'invoices.setMetadata':
      'By its merchant or an admin of the client, also after it has ended. Keys are merged; null removes one. No event follows.',
    'invoices.listMethods':
      'In rupiah by QRIS, virtual account and e-wallet, where the gateway is set up; in every currency from a wallet, and by card on the page of the invoice. What the client or the operator has switched off is not among them.',
    'gatewaySettings.get':
      'An admin reads those of the own client. Before they are set the version is 0.',
    'gatewaySettings.replace':
      'An admin sets them for the own client. What is switched off is refused from then on, also where an invoice is open; what the operator has switched off is off for all. `gateway_settings.updated` follows.',
    'gatewaySettings.makeSecret':
      'The address to which a payer returns has `sig` then: HMAC-SHA256 in hex, under this text, over `invoice_id`, `status` and `ts`, joined by dots. The earlier secret is gone.',
    'invoicePayments.create':
      '`action` says where the payer pays. One is open for a method: an earlier one is ended at the gateway first, and counts where its payer was faster. Without an answer of the gateway the payment is in doubt, and is looked up. `payment.pending` follows, and once the money is there `payment.succeeded` with `invoice.paid` or `invoice.partially_paid`.',
    'invoicePayments.get': 'By the merchant, the payer of a wallet, or an admin of the client.',
    'invoicePayments.cancel':
      'It is ended at the gateway. Where its payer was faster it counts, and the answer is 409.',
    'unmatchedPayments.list': 'Admins see those of their client, the operator all.',
    'unmatchedPayments.assign':
      'To an invoice of the same client that is open. It takes a part of what it asks for only with `allow_partial`. `invoice_payment.assigned`, `payment.succeeded` and the event of the invoice follow.',
    'unmatchedPayments.markRefunded': 'All that is owed of it. `invoice_payment.refunded` follows.',
    'unmatchedPayments.writeOff': 'All that is owed of it. `invoice_payment.written_off` follows.',
    'callbacks.receiveInvoicePayment':
      'The token of the gateway (`x-callback-token`) proves the call; its news is a hint, and the gateway is asked before anything is booked.',
    'invoices.pay':
      'By any other person of the client who has its id; of several at once one pays. A policy of transfers may deny it; it cannot wait for an approval. `payment.succeeded` and `invoice.paid` follow.',
    'invoiceRefunds.create':
      'Out of the wallet of the invoice, within 180 days. What a wallet has paid goes back there at once. What has come in by the gateway goes to the bank account of `recipient_id`; without it the customer is mailed a link of 14 days to a page that asks for one, which is `claim_url` of this answer, too. What a card has paid goes back to that card, once, with the share of the fee: the page asks for the card. The money is held until the bank has it, and free again where it does not arrive. Wallets that got a part keep it, and fees are not given back. `refund.pending`, then `refund.succeeded` with `invoice.refunded`, or `refund.failed` follow.',
    'invoiceRefunds.showClaim': 'In English or Indonesian. To look changes nothing.',
    'invoiceRefunds.claim':
      'The bank is asked first whether the account is in that name; a card has to be the one that has paid. The first account that is named is paid; what is wrong is said on the page.',
    'unmatchedPayments.refund':
      'To the bank account of `recipient_id`; without it the customer of the invoice is mailed a link to a page that asks for one, which is `claim_url` of this answer, too. It is REFUNDED once the bank has it, and OPEN again where it does not arrive. `invoice_payment.refunding`, then `invoice_payment.refunded` or `invoice_payment.unmatched` follow.',
  },
  bodies: () => ({
    // One of two ways to say what is paid; and a picture that is kept.
    'paymentLinks.create': { min: undefined, max: undefined },
    'gatewaySettings.replace': { logo_file_id: undefined },
  }),
  values: {
    'PaymentLink.status': LINK_WORDS,
    'PaymentLinkEventData.status': LINK_WORDS,
    'paymentLinks.list.status': LINK_WORDS,
    'paymentLinks.update.status': LINK_WORDS,
    'PaymentLink.usage': USAGE_WORDS,
    'PaymentLinkEventData.usage': USAGE_WORDS,
    'paymentLinks.create.usage': USAGE_WORDS,
    'PaymentLink.methods': INVOICE_METHODS,
    'PaymentLinkEventData.methods': INVOICE_METHODS,
    'paymentLinks.create.methods': INVOICE_METHODS,
    'paymentLinks.update.methods': INVOICE_METHODS,
    'InvoiceEventData.methods': INVOICE_METHODS,
    'InvoiceEventData.status': INVOICE_WORDS,
    'CheckoutState.status': {
      OPEN: 'It can be paid',
      CHECKING: 'A payer has acted; the money is being looked for',
      PARTIALLY_PAID: 'A part has come in; the rest can be paid',
      PAID: 'All of it has come in',
      EXPIRED: 'It was not paid in time',
      CANCELLED: 'Its merchant has cancelled it',
    },
    'CheckoutWay.method': INVOICE_METHODS,
    'CheckoutTry.method': INVOICE_METHODS,
    'checkout.pay.method': BY_GATEWAY,
    fee_bearer: {
      merchant: 'The fee is taken off what arrives',
      customer: 'The fee comes on top of the amount',
    },
    refund_status: {
      NONE: 'Nothing was given back',
      PARTIAL: 'A part was given back',
      FULL: 'All was given back',
    },
    'InvoicePayment.method': INVOICE_METHODS,
    'InvoicePaymentEventData.method': INVOICE_METHODS,
    'PaymentOfInvoice.method': INVOICE_METHODS,
    'PayingMethod.method': INVOICE_METHODS,
    'invoicePayments.create.method': BY_GATEWAY,
    'Invoice.status': INVOICE_WORDS,
    'invoices.list.status': INVOICE_WORDS,
    'InvoicePayment.status': PAYMENT_WORDS,
    'InvoicePaymentEventData.status': PAYMENT_WORDS,
    'PaymentOfInvoice.status': PAYMENT_WORDS,
    'UnmatchedInvoiceMoney.status': UNMATCHED_WORDS,
    'unmatchedPayments.list.status': UNMATCHED_WORDS,
    'RefundedInvoiceMoney.status': UNMATCHED_WORDS,
    'InvoiceRefund.status': REFUND_WORDS,
    'InvoiceRefundEventData.status': REFUND_WORDS,
    'MadeInvoiceRefund.status': REFUND_WORDS,
    'invoiceRefunds.list.status': REFUND_WORDS,
    'InvoiceRefund.way': WAYS,
    'InvoiceRefundEventData.way': WAYS,
    'MadeInvoiceRefund.way': WAYS,
    'Invoice.methods': INVOICE_METHODS,
    'invoices.create.methods': INVOICE_METHODS,
    'SwitchedMethod.method': INVOICE_METHODS,
    'SwitchedMethodInput.method': INVOICE_METHODS,
    'InvoicePaymentAction.type': {
      redirect: 'The payer is sent to `url`',
      virtual_account: 'The payer transfers the amount to one of `accounts`, or goes to `url`',
    },
    'PayingMethod.settles': { at_once: 'With the payment itself' },
    'PayingMethod.refunds': {
      in_parts: 'In as many parts as you like',
      once: 'Once, in part or all of it',
    },
    'UnmatchedInvoiceMoney.reason': REASONS,
    'RefundedInvoiceMoney.reason': REASONS,
  },
  places: {
    'CheckoutState.mark': '5f2b8c0d1e3a4f67',
    'CheckoutState.return_url': 'https://shop.example.com/orders/2041?status=OPEN',
    'PaymentLink.substatus': 'stalled',
    'GatewaySettings.color': '#0b6e4f',
    'GatewaySettings.display_name': 'Lamp shop',
    'GatewaySettings.support_email': 'help@example.com',
    'Invoice.substatus': 'waiting_for_person',
    'InvoicePayment.substatus': 'waiting_for_provider',
    'PaymentOfInvoice.substatus': 'waiting_for_provider',
    'UnmatchedInvoiceMoney.substatus': 'waiting_for_person',
    'UnmatchedInvoiceMoney.method': 'va',
    'UnmatchedInvoiceMoney.receipt': '6380f2b1c2d3e4f5a6b7c8d9',
    'InvoicePayment.provider_reference': '6380f2b1c2d3e4f5a6b7c8d9',
    'PaymentOfInvoice.provider_reference': '6380f2b1c2d3e4f5a6b7c8d9',
    'UnmatchedInvoiceMoney.settled_note': 'Transferred by hand, BCA 4711',
    'InvoicePaymentAccount.bank_code': 'BCA',
    'InvoicePaymentAccount.account_number': '3816123456789012',
    'InvoicePaymentAccount.account_name': 'LAMP SHOP',
    'InvoicePaymentAction.url': 'https://pay.example.com/web/invoices/6380f2b1c2d3e4f5a6b7c8d9',
    'InvoiceRefund.substatus': 'waiting_for_provider',
    'MadeInvoiceRefund.substatus': 'waiting_for_provider',
    'RefundPayee.detail': 'BCA ****7890',
    'InvoiceRefund.provider_reference': 'disb-6380f2b1c2d3e4f5a6b7c8d9',
    'MadeInvoiceRefund.provider_reference': 'disb-6380f2b1c2d3e4f5a6b7c8d9',
    'RefundedInvoiceMoney.substatus': 'waiting_for_provider',
    'RefundedInvoiceMoney.receipt': '6380f2b1c2d3e4f5a6b7c8d9',
    'RefundedInvoiceMoney.method': 'va',
    'RefundedInvoiceMoney.settled_note': 'Transferred by hand, BCA 4711',
    'InvoiceSplit.percent': '2.50',
  },
  meanings: {
    return_url: 'Where the page leads the payer afterwards',
    recovery_url: 'Where the page leads the payer once the time to pay is over',
    link_id: 'The link',
    usage: 'For how many payments it is',
    lang: 'The language of a page',
    display_name: 'Who asks for money, as payers read it',
    support_email: 'Where payers ask',
    logo_file_id: 'A picture of the client, kept under `/files`',
    enabled: 'Whether it is offered',
    customer: 'Of whom the money is asked',
    invoice_id: 'The invoice',
    unmatched_id: 'The money that pays no invoice',
    quantity: 'How many of it',
    unit_amount: 'The price of one',
  },
  origins: [
    [/^paymentLinks\.\w+\.link_id$/, 'paymentLinks.create'],
    [/^paymentLinks\.(show|press|getLogo)\.key$/, 'paymentLinks.create'],
    [/^checkout\.\w+\.invoice_id$/, 'invoices.create'],
    [/^checkout\.cancel\.payment_id$/, 'invoicePayments.create'],
    [/^invoices\.\w+\.invoice_id$/, 'invoices.create'],
    [/^invoicePayments\.create\.invoice_id$/, 'invoices.create'],
    [/^invoicePayments\.\w+\.payment_id$/, 'invoicePayments.create'],
    [/^unmatchedPayments\.\w+\.unmatched_id$/, 'unmatchedPayments.list'],
    [/^unmatchedPayments\.assign\.invoice_id$/, 'invoices.create'],
    [/^invoiceRefunds\.\w+\.invoice_id$/, 'invoices.create'],
    [/^invoiceRefunds\.\w+\.key$/, 'invoiceRefunds.create'],
  ],
};
