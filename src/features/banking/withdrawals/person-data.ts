import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const WITHDRAWALS_PERSON_DATA: PersonData = {
  tables: [
    personTable('withdrawals', {
      key: ['serial'],
      exported: {
        columns: [
          'withdrawal_id',
          'wallet_id',
          'rail',
          'payee_name',
          'payee_detail',
          'currency',
          'amount',
          'fee',
          'note',
          'status',
          'created_at',
        ],
        money: { amount: 'currency', fee: 'currency' },
      },
      erased: { note: 'emptied' },
      kept: ['fingerprint', 'sealed_payee', 'payee_name', 'payee_detail', 'returned'],
      why: KEPT_BY_LAW,
      impersonal: ['our_reference', 'rail', 'fee_terms', 'provider_reference', 'received_currency'],
    }),
  ],
};
