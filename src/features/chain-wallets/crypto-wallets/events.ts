import { Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Timestamp } from '#kernel/http/declare/schema.ts';
import type { CryptoWallet } from './store.ts';

/** The wallet itself; its addresses have events of their own. */
const CryptoWalletEventData = named('CryptoWalletEventData', {
  bw_id: Id,
  user_id: Id,
  wallet_name: Type.String(),
  wallet_label: Type.String(),
  is_primary: Type.Boolean(),
  created_at: Timestamp,
});

const wallet = defineEvents(
  'crypto_wallet',
  {
    schema: CryptoWalletEventData,
    since: '2026-11',
    example: {
      bw_id: 4,
      user_id: 3,
      wallet_name: 'Main wallet',
      wallet_label: 'Main wallet',
      is_primary: true,
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    created: 'A wallet for coins was made',
    deleted: 'A wallet and all its addresses are gone; the data shows it as it was',
  },
);

const address = defineEvents(
  'wallet_address',
  {
    schema: named('CryptoAddressEventData', {
      address_id: Id,
      bw_id: Id,
      user_id: Id,
      chain_id: Type.String(),
      wallet_address: Type.String(),
      created_at: Timestamp,
    }),
    since: '2026-11',
    example: {
      address_id: 9,
      bw_id: 4,
      user_id: 3,
      chain_id: exampleChain().key,
      wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  { created: 'A wallet has an address on a chain' },
);

export const CRYPTO_WALLET_EVENTS = [...Object.values(wallet), address.created];

/** In the transaction in which it becomes so. */
export async function emitWallet(
  tx: Db,
  what: keyof typeof wallet,
  data: CryptoWallet,
): Promise<void> {
  const { user_id, bw_id: id } = data;
  emit(tx, wallet[what], { client_id: await clientOfUser(tx, user_id), user_id, id, data });
}

/** In the transaction that makes it. Never its key. */
export async function emitAddress(
  tx: Db,
  { user_id, bw_id }: CryptoWallet,
  made: { address_id: number; chain_id: string; wallet_address: string; created_at: string },
): Promise<void> {
  const data = { ...made, bw_id, user_id };
  const client_id = await clientOfUser(tx, user_id);
  emit(tx, address.created, { client_id, user_id, id: made.address_id, data });
}
