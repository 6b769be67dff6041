import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const STEP_UP_PERSON_DATA: PersonData = {
  tables: [
    personTable('step_ups', {
      key: ['challenge_id'],
      exported: { columns: ['challenge_id', 'method', 'proven_at', 'used_at'] },
      kept: 'all',
      why: KEPT_BY_LAW,
    }),
  ],
};
