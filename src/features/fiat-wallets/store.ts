import type { Reach } from '#kernel/access/tenancy.ts';
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

/** Nothing when there is no such user within the caller's reach. */
export const findReachableUser = (db: Db, reach: Reach, user_id: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'client_id'])
    .where('user_id', '=', user_id)
    .$if(reach.user_id !== undefined, (q) => q.where('user_id', '=', reach.user_id ?? 0))
    .$if(reach.client_id !== undefined, (q) => q.where('client_id', '=', reach.client_id ?? 0))
    .executeTakeFirst();
