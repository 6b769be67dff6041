import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CARD_DISPUTES_PERSON_DATA: PersonData = {
  tables: [
    personTable('card_disputes', {
      key: ['serial'],
      exported: {
        columns: [
          ...(['dispute_id', 'card_id', 'payment_id', 'reason', 'currency', 'amount'] as const),
          ...(['explanation', 'response', 'status', 'created_at'] as const),
        ],
        money: { amount: 'currency' },
      },
      kept: ['transaction_token', 'explanation', 'response'],
      why: KEPT_BY_LAW,
      impersonal: ['reason'],
    }),
  ],
};
