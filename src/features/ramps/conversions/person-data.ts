import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CONVERSIONS_PERSON_DATA: PersonData = {
  tables: [
    personTable('conversion_jobs', {
      key: ['job_id'],
      exported: {
        columns: [
          'job_id',
          'reference_id',
          'status',
          'amount',
          'spent',
          'bought',
          'fee_idr',
          'fee_usdc',
          'created_at',
        ],
      },
      impersonal: [
        'reference_id',
        'day',
        'disbursement_id',
        'deposit_id',
        'reason',
        'reason_message',
      ],
    }),
  ],
};
