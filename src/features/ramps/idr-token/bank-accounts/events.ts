import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { Id, Timestamp } from '#kernel/http/declare/schema.ts';
import type { Bank } from './store.ts';

/** An account number identifies its owner: an event has its last digits only. */
const bank = defineEvents(
  'bank_account',
  {
    schema: Type.Object({
      token_bank_id: Id,
      user_id: Id,
      bank_name: Type.String(),
      bank_code: Type.String(),
      bank_account_last4: Type.String(),
      is_primary: Type.Boolean(),
      status: Type.String(),
      created_at: Timestamp,
    }),
    since: '2026-11',
    example: {
      token_bank_id: 6,
      user_id: 3,
      bank_name: 'Bank Central Asia',
      bank_code: 'BCA',
      bank_account_last4: '7890',
      is_primary: true,
      status: 'ACTIVE',
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    added: 'Rupiah may go to a bank account; where it is the primary one, no other is',
    removed: 'Rupiah go to that bank account no more',
  },
);

export const BANK_EVENTS = Object.values(bank);

/** In the transaction of the change. */
export function emitBank(tx: Db, what: keyof typeof bank, row: Bank, client_id: number): void {
  const { user_id, token_bank_id: id } = row;
  const data = { ...row, bank_account_last4: row.bank_account_number.slice(-4) };
  emit(tx, bank[what], { client_id, user_id, id, data });
}
