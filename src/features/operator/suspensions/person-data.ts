import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const SUSPENSIONS_PERSON_DATA: PersonData = {
  tables: [
    personTable('stops', {
      key: ['stop_id'],
      exported: { columns: ['stop_id', 'what', 'at'] },
      kept: ['reason'],
      why: 'It says why an account was stopped, and by whose order',
      impersonal: ['what'],
    }),
  ],
};
