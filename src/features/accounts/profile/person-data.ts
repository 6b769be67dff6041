import { FOR_ONE_STEP, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PROFILE_PERSON_DATA: PersonData = {
  tables: [
    personTable('profiles', {
      key: ['user_id'],
      exported: {
        columns: [
          'first_name',
          'last_name',
          'locale',
          'time_zone',
          'prefers_email',
          'prefers_sms',
          'prefers_push',
          'version',
          'updated_at',
        ],
      },
      erased: 'rows',
    }),
    personTable('email_changes', {
      key: ['serial'],
      exported: { columns: ['old_email', 'new_email', 'created_at', 'confirmed_at', 'over_at'] },
      erased: 'rows',
    }),
    personTable('phone_changes', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('person_exports', {
      key: ['serial'],
      exported: {
        columns: ['export_id', 'status', 'created_at', 'ready_at', 'used_at', 'expires_at'],
      },
      erased: 'rows',
    }),
    personTable('account_closings', {
      key: ['user_id'],
      exported: { columns: ['status', 'asked_at', 'erases_at', 'cancelled_at'] },
      kept: 'all',
      why: 'It says that the person was erased, and when',
    }),
  ],
};
