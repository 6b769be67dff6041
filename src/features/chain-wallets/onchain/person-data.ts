import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const ONCHAIN_PERSON_DATA: PersonData = {
  tables: [
    personTable('onchain_sends', {
      exported: TOLD_ELSEWHERE,
      kept: [
        'wallet_name',
        'wallet_label',
        'wallet_address',
        'destination',
        'treasury',
        'token_contract',
        'fee_tx_hash',
      ],
      why: KEPT_BY_LAW,
      impersonal: ['token_symbol', 'fee_status', 'chain_id'],
    }),
    personTable('onchain_transactions', {
      key: ['ordinal'],
      exported: {
        columns: [
          'id',
          'tx_type',
          'tx_flow',
          'amount',
          'token_symbol',
          'chain_id',
          'destination_wallet',
          'tx_hash',
          'status',
          'wallet_name',
          'created_at',
        ],
      },
      kept: ['wallet_name', 'wallet_label', 'tx_hash', 'destination_wallet', 'token_contract'],
      why: KEPT_BY_LAW,
      impersonal: [
        'tx_type',
        'tx_flow',
        'amount',
        'token_symbol',
        'chain_id',
        'gas_fee',
        'platform_fee',
      ],
    }),
  ],
};
