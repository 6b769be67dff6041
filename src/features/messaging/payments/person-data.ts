import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PAYMENTS_PERSON_DATA: PersonData = {
  tables: [
    personTable('payments', {
      key: ['payment_id'],
      exported: {
        columns: [
          'payment_id',
          'rail',
          'kind',
          'direction',
          'currency',
          'amount',
          'fee',
          'refunded',
          'status',
          'our_reference',
          'provider_reference',
          'created_at',
          'updated_at',
        ],
        money: { amount: 'currency', fee: 'currency', refunded: 'currency' },
      },
      kept: ['counterparty_name', 'counterparty_detail', 'failure_message'],
      why: KEPT_BY_LAW,
      impersonal: [
        'rail',
        'direction',
        'our_reference',
        'provider_reference',
        'failure_code',
        'work_id',
      ],
    }),
    personTable('caller_names', {
      key: ['object_type', 'object_id'],
      exported: { columns: ['object_type', 'object_id', 'reference', 'metadata', 'created_at'] },
      kept: ['reference', 'metadata'],
      why: 'They are the client’s own names of its things',
    }),
  ],
};
