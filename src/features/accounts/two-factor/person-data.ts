import {
  A_SECRET,
  FOR_ONE_STEP,
  type PersonData,
  personTable,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const TWO_FACTOR_PERSON_DATA: PersonData = {
  tables: [
    personTable('two_factor', {
      key: ['user_id'],
      exported: { columns: ['is_enabled', 'setup_completed_at', 'last_used_at', 'created_at'] },
      erased: 'rows',
    }),
    personTable('two_factor_audit', {
      key: ['id'],
      exported: {
        columns: [
          'id',
          'action',
          'client_ip',
          'user_agent',
          'success',
          'failure_reason',
          'created_at',
        ],
      },
      erased: 'rows',
    }),
    personTable('two_factor_backup_codes', { exported: A_SECRET, erased: 'rows' }),
    personTable('login_challenges', { exported: FOR_ONE_STEP, erased: 'rows' }),
  ],
};
