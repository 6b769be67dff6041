import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const SESSIONS_PERSON_DATA: PersonData = {
  tables: [
    personTable('sessions', {
      key: ['session_id'],
      exported: {
        columns: [
          'session_id',
          'ip',
          'user_agent',
          'method',
          'created_at',
          'expires_at',
          'revoked_at',
          'seen_at',
        ],
      },
      erased: 'rows',
    }),
    personTable('user_networks', {
      key: ['network'],
      exported: { columns: ['network', 'last_seen'] },
      erased: 'rows',
    }),
  ],
};
