import { FOR_ONE_STEP, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const MOBILE_PERSON_DATA: PersonData = {
  tables: [
    personTable('mobile_codes', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('mobile_logins', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('mobile_devices', {
      key: ['serial'],
      exported: {
        columns: [
          'device_id',
          'app_device_id',
          'name',
          'platform',
          'last_network',
          'created_at',
          'last_used_at',
          'removed_at',
        ],
      },
      erased: 'rows',
    }),
  ],
};
