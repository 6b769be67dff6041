import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const APPROVALS_PERSON_DATA: PersonData = {
  tables: [
    personTable('approval_votes', {
      key: ['approval_id'],
      exported: { columns: ['approval_id', 'is_approval', 'note', 'at'] },
      erased: { note: 'emptied' },
    }),
  ],
};
