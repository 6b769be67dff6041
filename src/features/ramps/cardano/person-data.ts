import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CARDANO_PERSON_DATA: PersonData = {
  tables: [
    personTable('cardano_orders', {
      key: ['order_id'],
      exported: {
        columns: [
          'order_id',
          'status',
          'source',
          'target',
          'currency_from',
          'currency_to',
          'fiat_amount',
          'usdc',
          'payout',
          'to_address',
          'bank_code',
          'account_number',
          'account_name',
          'created_at',
        ],
      },
      kept: [
        'to_address',
        'bank_code',
        'account_number',
        'account_name',
        'card_reference',
        'mint_hash',
        'burn_hash',
      ],
      why: KEPT_BY_LAW,
      impersonal: [
        'source',
        'target',
        'currency_from',
        'currency_to',
        'rate_in',
        'rate_out',
        'rates_source',
        'given_back',
      ],
    }),
    personTable('cardano_steps', {
      key: ['step_id'],
      exported: { columns: ['step_id', 'order_id', 'step', 'status', 'created_at'] },
      kept: ['tx_hash'],
      why: KEPT_BY_LAW,
      impersonal: ['step'],
    }),
    personTable('cardano_volumes', { exported: TOLD_ELSEWHERE }),
  ],
};
