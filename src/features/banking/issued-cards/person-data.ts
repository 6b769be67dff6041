import { KEPT_BY_LAW, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const ISSUED_CARDS_PERSON_DATA: PersonData = {
  tables: [
    personTable('issued_cards', {
      key: ['serial'],
      exported: {
        columns: [
          'card_id',
          'wallet_id',
          'currency',
          'name_on_card',
          'usage',
          'last4',
          'expiry',
          'status',
          'created_at',
        ],
      },
      erased: { name_on_card: 'numbered' },
      kept: ['last4', 'expiry', 'owner_controls', 'client_controls'],
      why: KEPT_BY_LAW,
      impersonal: ['usage', 'frozen_by', 'closed_reason', 'failure_code'],
    }),
  ],
};
