import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const BALANCE_MONITORS_PERSON_DATA: PersonData = {
  tables: [
    personTable('balance_monitors', {
      key: ['serial'],
      exported: {
        columns: [
          'monitor_id',
          'wallet_id',
          'currency',
          'field',
          'op',
          'amount',
          'state',
          'created_at',
        ],
        money: { amount: 'currency' },
      },
      impersonal: ['field', 'op'],
    }),
  ],
};
