import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const EXCHANGE_WALLETS_PERSON_DATA: PersonData = {
  tables: [
    personTable('exchange_wallets', {
      key: ['bw_id'],
      exported: {
        columns: ['bw_id', 'network', 'wallet_address', 'status', 'is_primary', 'created_at'],
      },
      kept: ['wallet_address'],
      why: KEPT_BY_LAW,
      impersonal: ['network'],
    }),
  ],
};
