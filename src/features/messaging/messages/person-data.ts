import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const MESSAGES_PERSON_DATA: PersonData = {
  tables: [
    personTable('messages', {
      key: ['message_id'],
      exported: {
        columns: [
          'message_id',
          'channel',
          'recipient',
          'purpose',
          'status',
          'created_at',
          'sent_at',
        ],
      },
      erased: 'rows',
    }),
  ],
};
