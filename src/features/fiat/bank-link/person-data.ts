import {
  FOR_ONE_STEP,
  KEPT_BY_LAW,
  type PersonData,
  personTable,
} from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const BANK_LINK_PERSON_DATA: PersonData = {
  tables: [
    personTable('bank_connections', {
      key: ['connection_id'],
      exported: {
        columns: ['connection_id', 'state', 'institution_name', 'created_at', 'updated_at'],
      },
      kept: [
        'item_id',
        'sealed_token',
        'token_print',
        'account_id',
        'institution_id',
        'institution_name',
      ],
      why: 'The law has it recorded from which account money came; a token is deleted where the link ends',
    }),
    personTable('bank_link_tokens', { exported: FOR_ONE_STEP, erased: 'rows' }),
    personTable('bank_top_ups', {
      key: ['top_up_id'],
      exported: {
        columns: [
          'top_up_id',
          'status',
          'amount',
          'transfer_id',
          'created_at',
          'settled_at',
          'returned_at',
        ],
      },
      kept: ['transfer_id'],
      why: KEPT_BY_LAW,
    }),
  ],
};
