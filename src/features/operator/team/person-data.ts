import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const TEAM_PERSON_DATA: PersonData = {
  tables: [
    personTable('team_invitations', {
      owner: 'accepted_by',
      key: ['serial'],
      exported: { columns: ['invitation_id', 'email', 'team_role', 'created_at', 'accepted_at'] },
      erased: { email: 'numbered' },
      impersonal: ['team_role', 'token_digest'],
    }),
  ],
};
