import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const RECIPIENTS_PERSON_DATA: PersonData = {
  tables: [
    personTable('recipients', {
      key: ['serial'],
      exported: {
        columns: [
          'recipient_id',
          'kind',
          'name',
          'country',
          'currency',
          'masked',
          'created_at',
          'last_paid_at',
        ],
      },
      erased: {
        name: 'numbered',
        country: 'emptied',
        email: 'emptied',
        sealed_details: 'numbered',
        suggested_name: 'emptied',
        masked: 'fields',
        deleted_at: 'ended',
      },
      kept: ['fingerprint'],
      why: 'Nothing can be read from a keyed fingerprint',
      impersonal: ['result', 'source'],
    }),
  ],
};
