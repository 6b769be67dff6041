import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const NETWORKS_PERSON_DATA: PersonData = {
  tables: [
    personTable('faucet_gifts', {
      key: ['gift_id'],
      exported: {
        columns: [
          'gift_id',
          'network_id',
          'asset',
          'units',
          'address',
          'status',
          'tx_hash',
          'created_at',
        ],
        money: { units: 'asset' },
      },
      kept: ['address', 'tx_hash'],
      why: KEPT_BY_LAW,
      impersonal: ['network_id'],
    }),
  ],
};
