import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const VERIFICATION_PERSON_DATA: PersonData = {
  tables: [
    personTable('verifications', {
      key: ['kind'],
      exported: {
        columns: [
          'kind',
          'status',
          'verified_at',
          'provider',
          'applicant_id',
          'level_name',
          'verified_name',
          'created_at',
          'updated_at',
          'decided_at',
        ],
      },
      kept: ['provider', 'applicant_id', 'level_name', 'verified_name'],
      why: 'The law has the proof of an identity kept for years after an account is closed',
    }),
    personTable('verification_history', {
      key: ['id'],
      exported: { columns: ['id', 'kind', 'status', 'source', 'at'] },
      impersonal: ['source'],
    }),
  ],
};
