import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const XRPL_PERSON_DATA: PersonData = {
  tables: [
    personTable('xrpl_transactions', {
      key: ['id'],
      exported: {
        columns: [
          'id',
          'tx_type',
          'currency_code',
          'units',
          'status',
          'tx_hash',
          'source_address',
          'destination_address',
          'created_at',
        ],
      },
      kept: ['tx_hash', 'source_address', 'destination_address', 'raw_response'],
      why: KEPT_BY_LAW,
      impersonal: ['tx_type', 'currency_code'],
    }),
    personTable('xrpl_trustlines', {
      key: ['trustline_id'],
      exported: {
        columns: ['trustline_id', 'address', 'currency_code', 'issuer', 'status', 'created_at'],
      },
      kept: ['address', 'issuer'],
      why: KEPT_BY_LAW,
      impersonal: ['currency_code'],
    }),
  ],
};
