import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const FILES_PERSON_DATA: PersonData = {
  tables: [
    personTable('files', {
      key: ['ordinal'],
      exported: {
        columns: ['file_id', 'purpose', 'name', 'content_type', 'size', 'created_at', 'expires_at'],
      },
      kept: ['name', 'content_type', 'sha256', 'sealed_key'],
      why: 'What no dispute or batch names is deleted; what one names stays as long as it does',
      impersonal: ['purpose'],
    }),
  ],
};
