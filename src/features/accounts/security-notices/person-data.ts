import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const SECURITY_NOTICES_PERSON_DATA: PersonData = {
  tables: [
    personTable('access_changes', {
      key: ['id'],
      exported: { columns: ['id', 'what', 'detail', 'told_to'] },
      erased: 'rows',
    }),
  ],
};
