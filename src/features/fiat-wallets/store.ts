import type { Db } from '#kernel/db/db.ts';
import type { FiatWallet } from './fiat-wallets.ts';

export const walletsOf = async (db: Db, user_id: number): Promise<FiatWallet[]> => {
  const rows = await db
    .selectFrom('fiat_wallets')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('wallet_id')
    .execute();
  return rows as FiatWallet[];
};
