import {
  KEPT_BY_LAW,
  type PersonData,
  personTable,
  TOLD_ELSEWHERE,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const WALLET_TRANSFERS_PERSON_DATA: PersonData = {
  tables: [
    personTable('wallet_transfers', {
      key: ['serial'],
      exported: {
        columns: [
          'transfer_id',
          'from_wallet_id',
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
      kept: ['claim_channel', 'claim_address', 'claim_digest'],
      why: KEPT_BY_LAW,
      impersonal: ['fee_terms', 'received_currency'],
    }),
    personTable('wallet_transfer_parts', {
      owner: 'sender_id',
      key: ['serial'],
      exported: TOLD_ELSEWHERE,
      erased: { note: 'emptied' },
      kept: ['named_as'],
      why: KEPT_BY_LAW,
    }),
  ],
};
