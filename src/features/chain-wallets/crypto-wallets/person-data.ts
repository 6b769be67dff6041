import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const CRYPTO_WALLETS_PERSON_DATA: PersonData = {
  tables: [
    personTable('crypto_wallets', {
      key: ['bw_id'],
      exported: {
        columns: [
          'bw_id',
          'wallet_name',
          'wallet_label',
          'network',
          'made_for_chain',
          'is_primary',
          'created_at',
        ],
      },
      erased: { wallet_name: 'numbered', wallet_label: 'numbered' },
      impersonal: ['network', 'made_for_chain'],
    }),
  ],
};
