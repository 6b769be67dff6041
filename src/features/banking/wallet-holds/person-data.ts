import { type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const WALLET_HOLDS_PERSON_DATA: PersonData = {
  tables: [
    personTable('fiat_holds', {
      key: ['serial'],
      exported: {
        columns: [
          'hold_id',
          'wallet_id',
          'currency',
          'amount',
          'captured',
          'fee',
          'note',
          'status',
          'expires_at',
          'created_at',
        ],
        money: { amount: 'currency', captured: 'currency', fee: 'currency' },
      },
      erased: { note: 'emptied' },
      impersonal: ['fee_terms'],
    }),
  ],
};
