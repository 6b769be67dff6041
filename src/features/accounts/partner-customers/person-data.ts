import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PARTNER_CUSTOMERS_PERSON_DATA: PersonData = {
  tables: [
    personTable('partner_customers', {
      key: ['user_id'],
      exported: {
        columns: [
          'customer_type',
          'name',
          'email',
          'phone',
          'customer_id',
          'synced_at',
          'created_at',
        ],
      },
      erased: { name: 'numbered', email: 'numbered', phone: 'emptied', snapshot: 'emptied' },
      impersonal: ['customer_type', 'customer_id'],
    }),
  ],
};
