import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const KEYS_PERSON_DATA: PersonData = {
  tables: [
    personTable('api_keys', {
      key: ['key_id'],
      exported: {
        columns: [
          'key_id',
          'key_prefix',
          'provider_name',
          'scopes',
          'created_at',
          'last_used',
          'expires_at',
          'last_ip',
        ],
      },
      erased: { last_ip: 'emptied' },
      impersonal: [
        'key_hash',
        'key_prefix',
        'key_suffix',
        'provider_name',
        'scopes',
        'api_version',
        'kept_role',
        'allowed_ips',
      ],
    }),
  ],
};
