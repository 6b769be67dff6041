import { sql } from 'kysely';
import { type Db, now } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { NetworkCode } from './networks.ts';

/** A user's own address, to which the exchange pays USDC. */
export type ExchangeWallet = Row<
  'exchange_wallets',
  'bw_id' | 'user_id' | 'wallet_address' | 'is_primary' | 'status' | 'created_at'
> & { readonly network: NetworkCode };

const COLUMNS = [
  'bw_id',
  'user_id',
  'network',
  'wallet_address',
  'is_primary',
  'status',
  'created_at',
] as const;

const active = (db: Db) =>
  db
    .selectFrom('exchange_wallets')
    .select(COLUMNS)
    .$narrowType<{ network: NetworkCode }>()
    .where('status', '=', sql.lit('ACTIVE'));

/** The primary one first, then in the order of creation: at most one per network. */
export const exchangeWalletsOf = (db: Db, user_id: number): Promise<ExchangeWallet[]> =>
  active(db)
    .where('user_id', '=', user_id)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .orderBy('bw_id')
    .execute();

/** The user's primary wallet; undefined where they have chosen none. */
export const primaryWalletOf = (db: Db, user_id: number): Promise<ExchangeWallet | undefined> =>
  active(db)
    .where('user_id', '=', user_id)
    .where('is_primary', '=', sql.lit(true))
    .executeTakeFirst();

/** SQL of all primary wallets: at most one row for a user. */
export const PRIMARY_WALLETS = `
  select user_id, network, wallet_address from exchange_wallets where is_primary`;

/** The user's saves and deletions wait for one another. False when there is no such user. */
export async function lockExchangeOwner(tx: Db, user_id: number): Promise<boolean> {
  const query = tx.selectFrom('users').select('user_id').where('user_id', '=', user_id);
  return (await query.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

/** Leaves the user without a primary wallet. */
export async function clearPrimary(tx: Db, user_id: number): Promise<void> {
  await tx
    .updateTable('exchange_wallets')
    .set({ is_primary: false, updated_at: now })
    .where('user_id', '=', user_id)
    .where('is_primary', '=', sql.lit(true))
    .execute();
}

export type NewExchangeWallet = Pick<
  ExchangeWallet,
  'user_id' | 'network' | 'wallet_address' | 'is_primary'
>;

/**
 * Replaces the address of the user's wallet on a network: it becomes primary on request, and keeps its rank otherwise.
 * Undefined when they have none on that network.
 */
export const updateWallet = (
  tx: Db,
  wallet: NewExchangeWallet,
): Promise<ExchangeWallet | undefined> =>
  tx
    .updateTable('exchange_wallets')
    .set({
      wallet_address: wallet.wallet_address,
      updated_at: now,
      ...(wallet.is_primary && { is_primary: true }),
    })
    .where('user_id', '=', wallet.user_id)
    .where('network', '=', wallet.network)
    .where('status', '=', sql.lit('ACTIVE'))
    .returning(COLUMNS)
    .$narrowType<{ network: NetworkCode }>()
    .executeTakeFirst();

export const insertExchangeWallet = (tx: Db, wallet: NewExchangeWallet): Promise<ExchangeWallet> =>
  tx
    .insertInto('exchange_wallets')
    .values(wallet)
    .returning(COLUMNS)
    .$narrowType<{ network: NetworkCode }>()
    .executeTakeFirstOrThrow();

/** Undefined when the user has no such wallet. */
export const deleteExchangeWallet = (
  tx: Db,
  user_id: number,
  bw_id: number,
): Promise<ExchangeWallet | undefined> =>
  tx
    .updateTable('exchange_wallets')
    .set({ status: 'DELETED', is_primary: false, updated_at: now })
    .where('bw_id', '=', bw_id)
    .where('user_id', '=', user_id)
    .where('status', '=', sql.lit('ACTIVE'))
    .returning(COLUMNS)
    .$narrowType<{ network: NetworkCode }>()
    .executeTakeFirst();
