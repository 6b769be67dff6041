import {
  type PersonData,
  personTable,
  SHORT_LIVED,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const EVENTS_PERSON_DATA: PersonData = {
  tables: [
    personTable('events.log', {
      exported: TOLD_ELSEWHERE,
      kept: 'all',
      why: 'The log only grows, and forgets by its age',
    }),
    personTable('events.outbox', { exported: TOLD_ELSEWHERE, kept: 'all', why: SHORT_LIVED }),
  ],
};
