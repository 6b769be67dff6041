import { type PersonData, personTable, SHORT_LIVED } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const AGENT_PERSON_DATA: PersonData = {
  tables: [
    personTable('agent_confirmations', {
      key: ['confirmation_id'],
      exported: {
        columns: [
          'confirmation_id',
          'intent',
          'parameters',
          'language',
          'status',
          'created_at',
          'ended_at',
        ],
      },
      erased: 'rows',
    }),
    personTable('agent_conversations', { exported: SHORT_LIVED, erased: 'rows' }),
  ],
};
