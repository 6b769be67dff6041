import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const ACTIVITY_PERSON_DATA: PersonData = {
  tables: [
    personTable('activity_log', {
      owner: 'actor_user_id',
      key: ['id'],
      exported: { columns: ['id', 'at', 'action', 'ip', 'user_agent'] },
      kept: 'all',
      why: 'The audit log is sealed: a line that changes breaks its seal',
    }),
  ],
};
