import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PENDING_CHANGES_PERSON_DATA: PersonData = {
  tables: [
    personTable('pending_changes', {
      key: ['change_id'],
      exported: {
        columns: ['change_id', 'kind', 'subject', 'created_at', 'expires_at', 'takes_effect_at'],
      },
      erased: 'rows',
    }),
  ],
};
