import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const POLICIES_PERSON_DATA: PersonData = {
  tables: [
    personTable('policy_decisions', {
      key: ['decision_id'],
      exported: { columns: ['decision_id', 'at', 'kind', 'verdict'] },
      kept: 'all',
      why: 'It proves why a payment was let through or refused',
    }),
  ],
};
