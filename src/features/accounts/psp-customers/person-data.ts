import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PSP_CUSTOMERS_PERSON_DATA: PersonData = {
  tables: [
    personTable('psp_customers', {
      key: ['id'],
      exported: {
        columns: [
          'id',
          'psp_provider',
          'customer_type',
          'reference_id',
          'customer_id',
          'status',
          'kyc_status',
          'created_at',
          'updated_at',
        ],
      },
      impersonal: [
        'psp_provider',
        'customer_type',
        'reference_id',
        'customer_id',
        'kyc_status',
        'kyc_synced',
        'last_error',
      ],
    }),
  ],
};
