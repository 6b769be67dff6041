import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const PURCHASES_PERSON_DATA: PersonData = {
  tables: [
    personTable('purchase_orders', {
      key: ['order_id'],
      exported: {
        columns: [
          'order_id',
          'status',
          'product',
          'recipient',
          'price_asset',
          'price_units',
          'chain_id',
          'wallet_address',
          'payment_tx_hash',
          'refund_tx_hash',
          'created_at',
        ],
        money: { price_units: 'price_asset' },
      },
      erased: { recipient: 'fields' },
      kept: [
        'wallet_address',
        'product',
        'payment_tx_hash',
        'record_tx_hash',
        'refund_tx_hash',
        'chain_info',
      ],
      why: KEPT_BY_LAW,
      impersonal: [
        'order_id',
        'version',
        'chain_id',
        'price_asset',
        'rate',
        'rates_source',
        'price_source',
      ],
    }),
  ],
};
