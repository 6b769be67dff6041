import { FOR_ONE_STEP, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PASSKEYS_PERSON_DATA: PersonData = {
  tables: [
    personTable('passkeys', {
      key: ['serial'],
      exported: { columns: ['passkey_id', 'name', 'is_synced', 'created_at', 'last_used_at'] },
      erased: 'rows',
    }),
    personTable('passkey_challenges', { exported: FOR_ONE_STEP, erased: 'rows' }),
  ],
};
