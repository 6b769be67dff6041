import {
  A_SECRET,
  FOR_ONE_STEP,
  type PersonData,
  personTable,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const USER_PERSON_DATA: PersonData = {
  tables: [
    personTable('users', {
      key: ['user_id'],
      exported: {
        columns: [
          'user_id',
          'client_id',
          'username',
          'email',
          'phone',
          'role',
          'user_status',
          'is_wishlist',
          'tos_accepted_at',
          'tos_version',
          'twofa_enabled',
          'social_username',
          'social_verified',
          'public_key',
          'profile_picture',
          'created',
          'updated',
          'confirmed_at',
          'password_reset_at',
        ],
      },
      erased: {
        phone: 'emptied',
        password_hash: 'emptied',
        social_username: 'emptied',
        public_key: 'emptied',
        profile_picture: 'emptied',
        username: 'numbered',
        email: 'numbered',
      },
      impersonal: [
        'role',
        'user_status',
        'status_before_stop',
        'psp_id',
        'tos_version',
        'team_role',
      ],
    }),
    personTable('user_links', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('user_otps', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('temporary_passwords', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('account_creations', { exported: A_SECRET, erased: 'rows' }),
  ],
};
