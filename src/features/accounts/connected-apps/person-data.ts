import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CONNECTED_APP_PERSON_DATA: PersonData = {
  tables: [
    personTable('oauth_grants', {
      key: ['grant_id'],
      exported: {
        columns: [
          'grant_id',
          'app_id',
          'scopes',
          'redirect_uri',
          'created_at',
          'expires_at',
          'ended_at',
        ],
      },
      erased: 'rows',
    }),
  ],
};
