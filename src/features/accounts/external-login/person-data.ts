import { type PersonData, personTable, TOLD_ELSEWHERE } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const EXTERNAL_LOGIN_PERSON_DATA: PersonData = {
  tables: [
    personTable('ext_mappings', {
      key: ['id'],
      exported: {
        columns: [
          'id',
          'auth_provider',
          'ext_user_id',
          'wallet_address',
          'is_primary',
          'connected_at',
          'last_used',
        ],
      },
      erased: 'rows',
    }),
    personTable('ext_identities', { exported: TOLD_ELSEWHERE, erased: 'rows' }),
  ],
};
