import { Type } from 'typebox';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { Id, Timestamp } from '#kernel/http/declare/schema.ts';
import type { ExchangeWallet } from './store.ts';

const wallet = defineEvents(
  'exchange_wallet',
  {
    schema: Type.Object({
      bw_id: Id,
      user_id: Id,
      network: Type.String(),
      wallet_address: Type.String(),
      is_primary: Type.Boolean(),
      status: Type.String(),
      created_at: Timestamp,
    }),
    since: '2026-11',
    example: {
      bw_id: 7,
      user_id: 3,
      network: 'ERC20',
      wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      is_primary: true,
      status: 'ACTIVE',
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    created: 'Converted money may go to an address on a network',
    updated: 'It goes to another address on that network, or there first',
    deleted: 'It goes to that address no more',
  },
);

export const EXCHANGE_WALLET_EVENTS = Object.values(wallet);

/** In the transaction of the change. The former primary wallet gets no event. */
export async function emitExchangeWallet(
  tx: Db,
  what: keyof typeof wallet,
  data: ExchangeWallet,
): Promise<void> {
  const { user_id, bw_id: id } = data;
  emit(tx, wallet[what], { client_id: await clientOfUser(tx, user_id), user_id, id, data });
}
