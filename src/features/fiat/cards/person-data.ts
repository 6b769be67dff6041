import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CARDS_PERSON_DATA: PersonData = {
  tables: [
    personTable('card_transactions', {
      key: ['id'],
      exported: {
        columns: [
          'id',
          'reference_id',
          'type',
          'status',
          'card_last4',
          'currency',
          'amount',
          'platform_fee',
          'net_amount',
          'recipient_name',
          'created_at',
        ],
        money: { amount: 'currency', platform_fee: 'currency', net_amount: 'currency' },
      },
      kept: ['card_last4', 'recipient_name', 'card_fingerprint', 'rrn', 'approval_code'],
      why: KEPT_BY_LAW,
      impersonal: [
        'reference_id',
        'type',
        'transaction_identifier',
        'transmitted_at',
        'original_type',
        'flow',
      ],
    }),
  ],
};
