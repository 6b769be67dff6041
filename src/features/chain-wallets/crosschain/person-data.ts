import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CROSSCHAIN_PERSON_DATA: PersonData = {
  tables: [
    personTable('crosschain_transfers', {
      key: ['ordinal'],
      exported: {
        columns: [
          'log_id',
          'status',
          'from_chain',
          'to_chain',
          'token',
          'amount',
          'recipient_address',
          'return_address',
          'burn_tx_hash',
          'mint_tx_hash',
          'created_at',
          'updated_at',
        ],
      },
      kept: [
        'nonce',
        'recipient_address',
        'return_address',
        'burn_from',
        'burn_tx_hash',
        'burn_proof',
        'mint_tx_hash',
        'fee_tx_hash',
      ],
      why: KEPT_BY_LAW,
      impersonal: [
        'amount',
        'token',
        'from_chain',
        'to_chain',
        'bridge_route',
        'bridge_transfer',
        'burn_mode',
        'fee_status',
      ],
    }),
    personTable('crosschain_days', { exported: TOLD_ELSEWHERE }),
  ],
};
