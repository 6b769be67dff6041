import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';
import type { Balance } from '#kernel/ledger/accounts.ts';
import { ShownFiatWallet, shownFiat } from './presenters.ts';
import type { FiatWallet } from './store.ts';

const wallet = defineEvents(
  'wallet',
  {
    schema: ShownFiatWallet,
    since: '2026-11',
    example: {
      wallet_id: 3,
      user_id: 3,
      currency: 'USD',
      balance: '0.00',
      held: '0.00',
      available: '0.00',
      is_frozen: false,
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    created: 'A wallet was opened',
    frozen: 'An admin has frozen a wallet: money comes in, and none goes out',
    unfrozen: 'A wallet that was frozen is its owner’s to spend from again',
  },
);

/** A line of the wallet's statement. */
const Entry = named('WalletEntryEventData', {
  wallet_id: Id,
  user_id: Id,
  currency: Type.String(),
  amount: Type.String(),
  held: Type.String(),
  balance_after: Type.String(),
  held_after: Type.String(),
  seq: Type.Integer(),
  reference: Type.String(),
  type: Type.String(),
});

/** Emitted with the posting itself, see the view events.wallet_entries. */
const entries = defineEvents(
  'wallet',
  {
    schema: Entry,
    since: '2026-11',
    example: {
      wallet_id: 3,
      user_id: 3,
      currency: 'USD',
      amount: '97.00',
      held: '0.00',
      balance_after: '97.00',
      held_after: '0.00',
      seq: 1,
      reference: 'card:TOPUP-NFCRADBEHKLMPQGJ',
      type: 'card-top-up',
    },
  },
  {
    credited: 'Money has come into a wallet',
    debited: 'Money has left a wallet',
    hold_placed: 'Money of a wallet was set aside',
    hold_released: 'Money that was set aside is free again',
  },
);

export const WALLET_EVENTS = [...Object.values(wallet), ...Object.values(entries)];

/** In the transaction that changes the wallet. */
export function emitFiatWallet(
  tx: Db,
  what: keyof typeof wallet,
  { client_id, ...row }: FiatWallet & { readonly client_id: number },
  balance?: Balance,
): void {
  const { wallet_id: id, user_id } = row;
  emit(tx, wallet[what], { client_id, user_id, id, data: shownFiat(row, balance) });
}
