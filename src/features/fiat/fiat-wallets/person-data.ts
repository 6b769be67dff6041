import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const FIAT_WALLETS_PERSON_DATA: PersonData = {
  tables: [
    personTable('fiat_wallets', {
      key: ['wallet_id'],
      exported: { columns: ['wallet_id', 'currency', 'created_at'] },
    }),
    personTable('ledger.debts', {
      key: ['debt'],
      exported: { columns: ['debt', 'owed', 'created_at', 'updated_at'] },
      impersonal: ['debt'],
    }),
  ],
};
