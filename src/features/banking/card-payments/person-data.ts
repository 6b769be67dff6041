import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CARD_PAYMENTS_PERSON_DATA: PersonData = {
  tables: [
    personTable('card_payments', {
      key: ['serial'],
      exported: {
        columns: [
          'payment_id',
          'card_id',
          'status',
          'currency',
          'settled',
          'refunded',
          'merchant_name',
          'mcc',
          'merchant_city',
          'merchant_country',
          'created_at',
        ],
        money: { settled: 'currency', refunded: 'currency' },
      },
      kept: ['merchant_id', 'merchant_name', 'mcc', 'merchant_city', 'merchant_country'],
      why: KEPT_BY_LAW,
      impersonal: ['merchant_amount', 'merchant_currency'],
    }),
    personTable('card_decisions', {
      key: ['serial'],
      exported: {
        columns: [
          'decision_id',
          'card_id',
          'kind',
          'decision',
          'amount',
          'currency',
          'reason',
          'received_at',
        ],
        money: { amount: 'currency' },
      },
      kept: ['network_reference', 'transaction_token', 'client_answer', 'client_reason'],
      why: KEPT_BY_LAW,
      impersonal: ['type', 'sequence', 'decision', 'decided_by', 'reason'],
    }),
  ],
};
