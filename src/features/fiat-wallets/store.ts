import type { Db } from '#kernel/db/db.ts';
import type { Fiat, FiatWallet } from './wallets.ts';

export const walletsOf = (db: Db, user_id: number): Promise<FiatWallet[]> =>
  db
    .selectFrom('fiat_wallets')
    .selectAll()
    .$narrowType<{ currency: Fiat }>()
    .where('user_id', '=', user_id)
    .orderBy('wallet_id')
    .execute();
