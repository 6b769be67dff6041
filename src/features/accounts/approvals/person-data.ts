import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const APPROVALS_PERSON_DATA: PersonData = {
  tables: [
    // A vote belongs to the record of its payment; that it was given is in the audit log.
    personTable('approval_votes', { exported: TOLD_ELSEWHERE, kept: ['note'], why: KEPT_BY_LAW }),
  ],
};
