import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const MARKETPLACE_PERSON_DATA: PersonData = {
  tables: [
    personTable('marketplace_orders', {
      key: ['ordinal'],
      exported: {
        columns: [
          'order_id',
          'payment_status',
          'source',
          'product',
          'recipient',
          'original_units',
          'original_currency',
          'usd_units',
          'chain_id',
          'wallet_address',
          'created_at',
          'paid_at',
        ],
        money: { original_units: 'original_currency' },
      },
      erased: { recipient: 'fields' },
      kept: ['vendor', 'product', 'wallet_address', 'blockchain_tx_hash', 'vendor_reference'],
      why: KEPT_BY_LAW,
      impersonal: [
        'order_id',
        'source',
        'original_currency',
        'fx_rate',
        'chain_id',
        'contract_address',
        'token_address',
        'page_key',
        'payment_status',
      ],
    }),
    personTable('list_counts', {
      owner: 'owner',
      exported: TOLD_ELSEWHERE,
      impersonal: ['list', 'facet'],
    }),
  ],
};
