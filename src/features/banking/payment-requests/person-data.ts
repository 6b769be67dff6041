import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PAYMENT_REQUESTS_PERSON_DATA: PersonData = {
  tables: [
    personTable('payment_requests', {
      key: ['serial'],
      exported: {
        columns: [
          'request_id',
          'wallet_id',
          'currency',
          'amount',
          'note',
          'status',
          'expires_at',
          'created_at',
        ],
        money: { amount: 'currency' },
      },
      erased: { note: 'emptied' },
      kept: ['named_as', 'to_address'],
      why: KEPT_BY_LAW,
    }),
  ],
};
