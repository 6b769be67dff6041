import { type PersonData, personTable, SHORT_LIVED } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const REQUEST_LOGS_PERSON_DATA: PersonData = {
  tables: [
    personTable('request_logs', {
      key: ['log_id'],
      exported: {
        columns: ['log_id', 'at', 'method', 'path', 'status', 'ms', 'error_code', 'network'],
      },
      kept: 'all',
      why: SHORT_LIVED,
    }),
  ],
};
