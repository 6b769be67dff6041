import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const STATUSES = {
  DRAFT: 'It may be edited; nothing is held',
  PENDING_APPROVAL: 'Other people have to approve it as it is; nothing is held yet',
  SCHEDULED: 'It is approved and waits for its time; its money is held',
  PROCESSING: 'Its payments go out',
  COMPLETED: 'Every payment has arrived',
  PARTIALLY_COMPLETED: 'It is over, and some payments did not arrive; their money is free again',
  FAILED: 'It is over, and no payment arrived; its money is free again',
  REJECTED: 'It was not approved',
  CANCELLED: 'It was called off before anything was paid',
  EXPIRED: 'It was not approved within 72 hours',
};

const ITEM_STATES = {
  PENDING: 'Nothing is held for it yet',
  HELD: 'Its money is held, and it waits for its turn',
  PROCESSING: 'It is on its way',
  COMPLETED: 'It has arrived',
  FAILED: 'It was not paid; its money is free again when the batch is over',
  CANCELLED: 'It was called off before it began',
  RETURNED: 'It had arrived and came back; the amount is in the wallet again, the fee is not',
};

const FUNDING = {
  at_approval: 'Total and fees are held in one posting, or the approval is refused',
  per_item: 'Each payment is held before it goes; the first that cannot be waits a day for money',
};

/** What the reference says of this feature beside its declarations. */
export const BATCHES_WORDS: FeatureWords = {
  tags: {
    batches: {
      group: 'Fiat',
      text: 'Up to 10,000 payments out of one wallet to banks and wallets, checked line by line, approved as one by another person than their submitter, and paid side by side. An edit takes approvals back.',
    },
  },
  meanings: {
    batch_id: 'Of a batch',
    funding: 'When the money of its payments is held',
    items: 'Its payments, up to 10,000: each names a recipient or an account, and an amount',
    item_id: 'Of a payment of a batch; its payment is found by it, too',
  },
  values: {
    'Batch.status': STATUSES,
    'batches.list.status': STATUSES,
    'BatchItem.status': ITEM_STATES,
    'BatchItemEventData.status': ITEM_STATES,
    'batches.listItems.status': ITEM_STATES,
    'Batch.funding': FUNDING,
    'batches.create.funding': FUNDING,
  },
  places: {
    'BatchRowError.field': 'amount',
    'BatchRowError.message': 'must have at most 2 digits after the point in IDR',
    'Batch.name': 'Salaries of November',
    'batches.create.name': 'Salaries of November',
    'batches.update.name': 'Salaries of November',
    'BatchRecipient.detail': 'BCA ****7890',
    'BatchItem.reference': 'salary-11-siti',
    'BatchItem.substatus': 'waiting_for_provider',
    'BatchItem.provider_reference': 'disb-7a1d4b9e',
    'Batch.substatus': 'waiting_for_approval',
    'ReturnedItem.reason_code': 'AC04',
  },
  descriptions: {
    'batches.create':
      'The body is JSON, a CSV table (UTF-8, a head of column names, `,` or `;`; columns `recipient_id`, or `name, kind, country, currency, bank_code, account_number, wallet_id`, and `amount, reference, note`), or a pain.001.001.03 or .09 with one PmtInf, whose DbtrAcct/Id/Othr/Id is the wallet. Nothing is held by it. Each row is checked; those that cannot be paid are in `errors` by their line, and with any of them the batch cannot be submitted. Fees are those of this moment and belong to what is approved. With `quote_id` its payments are in the currency that the quote buys and come to exactly what it buys: what leaves the wallet is shared among them. The quote is used when the money is held, and its rate holds from then on; payments that fail are not tried again by it.',
    'batches.getResult': 'Cells that a spreadsheet would compute have an apostrophe before them.',
    'batches.getStatusReport':
      'Codes are `PDNG`, `ACCP`, `ACSC` and `RJCT` with its reason. A reference that is longer than ISO’s 35 characters is replaced by the id of the payment.',
    'batches.submit':
      'Names the `content_hash` that was read, and takes the references of its payments: each is paid once over all batches of the client. Policies decide; the operator’s first one asks for one approval.',
    'batches.approve':
      'Names version and content of what was read. Its submitter cannot approve it; of a client with one admin the operator does. Where the wallet has too little it is refused, and nothing changes.',
    'batches.cancel':
      'Payments that are on their way end as they end; the batch is over after the last of them.',
    'batches.retry':
      'Those of whom no provider was asked, as where the wallet was frozen, under the same references.',
  },
  origins: [
    [/^batches\.create$/, 'A wallet with money, and recipients in its currency'],
    [/^batches\.\w+\.batch_id$/, 'batches.create'],
    [/^batches\.(submit|approve|reject)\.content_hash$/, 'batches.get'],
  ],
};
