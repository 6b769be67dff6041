import { FOR_ONE_STEP, type PersonData, personTable } from '#kernel/person-data/person-table.ts';

/** What this feature holds of people. */
export const WALLET_PROOFS_PERSON_DATA: PersonData = {
  tables: [
    personTable('proven_wallets', {
      key: ['proof_id'],
      exported: { columns: ['proof_id', 'chain_id', 'wallet_address', 'proven_at'] },
      erased: 'rows',
    }),
    personTable('wallet_challenges', { exported: FOR_ONE_STEP, erased: 'rows' }),
  ],
};
