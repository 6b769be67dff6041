import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const BATCHES_PERSON_DATA: PersonData = {
  tables: [
    personTable('batches', {
      key: ['serial'],
      exported: {
        columns: [
          'batch_id',
          'name',
          'status',
          'currency',
          'total',
          'fees',
          'received_total',
          'received_currency',
          'item_count',
          'created_at',
        ],
        money: { total: 'currency', fees: 'currency', received_total: 'received_currency' },
      },
      erased: { name: 'numbered' },
      kept: ['errors'],
      why: KEPT_BY_LAW,
      impersonal: [
        'our_reference',
        'received_currency',
        'funding',
        'content_hash',
        'decided_as',
        'import_key',
      ],
    }),
    personTable('batch_items', {
      key: ['serial'],
      exported: {
        columns: [
          'item_id',
          'batch_id',
          'rail',
          'payee_name',
          'payee_detail',
          'currency',
          'amount',
          'fee',
          'received_amount',
          'received_currency',
          'reference',
          'note',
          'status',
          'created_at',
        ],
        money: { amount: 'currency', fee: 'currency', received_amount: 'received_currency' },
      },
      erased: { note: 'emptied' },
      kept: ['fingerprint', 'sealed_payee', 'payee_name', 'payee_detail', 'returned'],
      why: KEPT_BY_LAW,
      impersonal: [
        'our_reference',
        'rail',
        'received_currency',
        'fee_terms',
        'reference',
        'provider_reference',
      ],
    }),
  ],
};
