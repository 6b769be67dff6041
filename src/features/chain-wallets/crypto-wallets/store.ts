import { sql } from 'kysely';
import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import { fail } from '#kernel/error.ts';
import type { NewWalletKey, SealedKey } from './custody.ts';

/** Enough for anybody, and few enough to be answered at once. */
const WALLETS_MAX = 100;
const FOREIGN_KEY = '23503';

export type CryptoWallet = Row<'crypto_wallets'>;

export type WalletAddress = Row<
  'wallet_addresses',
  'address_id' | 'bw_id' | 'wallet_address' | 'created_at'
> & { readonly chain_id: ChainKey };

export type WalletAsset = Row<
  'wallet_assets',
  'asset_id' | 'address_id' | 'contract_address' | 'symbol' | 'decimals'
>;

/** An address that the service keeps the key of, with the wallet it belongs to. */
export type ManagedAddress = Row<'wallet_addresses', 'address_id' | 'bw_id' | 'sealed_key'> &
  Row<'crypto_wallets', 'user_id' | 'wallet_name' | 'wallet_label'> &
  Row<'users', 'client_id'> & {
    readonly chain_id: ChainKey;
    readonly wallet_address: Address;
  };

/** Locks until the transaction ends: changes of a user's set of wallets happen one after the other. */
export const lockWalletOwner = (tx: Db, user_id: number) =>
  tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Under the owner's lock. LIMIT_EXCEEDED when there are enough of them. */
export async function insertWallet(
  tx: Db,
  wallet: Pick<CryptoWallet, 'user_id' | 'wallet_name' | 'wallet_label'> &
    Partial<Pick<CryptoWallet, 'made_for_chain'>>,
): Promise<CryptoWallet> {
  const { count, primaries } = await tx
    .selectFrom('crypto_wallets')
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`count(*) filter (where is_primary)`.as('primaries'),
    ])
    .where('user_id', '=', wallet.user_id)
    .executeTakeFirstOrThrow();
  if (count >= WALLETS_MAX)
    throw fail('LIMIT_EXCEEDED', `A user has at most ${WALLETS_MAX} wallets`);
  return tx
    .insertInto('crypto_wallets')
    .values({ ...wallet, is_primary: primaries === 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const walletsOf = (db: Db, user_id: number): Promise<CryptoWallet[]> =>
  db
    .selectFrom('crypto_wallets')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('is_primary', 'desc')
    .orderBy('bw_id')
    .execute();

export async function hasWallet(db: Db, user_id: number): Promise<boolean> {
  const query = db.selectFrom('crypto_wallets').select('bw_id').where('user_id', '=', user_id);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Nothing when there is no such wallet within reach. */
export const findWallet = (
  db: Db,
  reach: TenantScope,
  bw_id: number,
): Promise<CryptoWallet | undefined> =>
  db
    .selectFrom('crypto_wallets as w')
    .innerJoin('users as u', 'u.user_id', 'w.user_id')
    .selectAll('w')
    .where('w.bw_id', '=', bw_id)
    .where(({ ref }) => inTenantScope(reach, ref('w.user_id'), ref('u.client_id')))
    .executeTakeFirst();

export async function addressesOf(db: Db, wallets: readonly number[]): Promise<WalletAddress[]> {
  if (wallets.length === 0) return [];
  const rows = await db
    .selectFrom('wallet_addresses')
    .select(['address_id', 'bw_id', 'wallet_address', 'chain_id', 'created_at'])
    .where('bw_id', 'in', [...wallets])
    .orderBy('address_id')
    .execute();
  return rows as WalletAddress[];
}

/** What narrows a list of addresses; an address is looked for as it is written here. */
export type AddressFilter = Partial<Pick<ManagedAddress, 'chain_id' | 'wallet_address' | 'bw_id'>>;

/** Those within the caller's reach, the primary wallet's first, then the oldest. */
export async function listManaged(
  db: Db,
  reach: TenantScope,
  { chain_id, wallet_address, bw_id }: AddressFilter,
): Promise<ManagedAddress[]> {
  const rows = await db
    .selectFrom('wallet_addresses as a')
    .innerJoin('crypto_wallets as w', 'w.bw_id', 'a.bw_id')
    .innerJoin('users as u', 'u.user_id', 'w.user_id')
    .select(['a.address_id', 'a.bw_id', 'w.user_id', 'u.client_id', 'w.wallet_name'])
    .select(['w.wallet_label', 'a.chain_id', 'a.wallet_address', 'a.sealed_key'])
    .where(({ ref }) => inTenantScope(reach, ref('w.user_id'), ref('u.client_id')))
    .$if(chain_id !== undefined, (q) => q.where('a.chain_id', '=', chain_id ?? ''))
    .$if(wallet_address !== undefined, (q) =>
      q.where('a.wallet_address', '=', wallet_address ?? ''),
    )
    .$if(bw_id !== undefined, (q) => q.where('a.bw_id', '=', bw_id ?? 0))
    .orderBy('w.is_primary', 'desc')
    .orderBy('a.address_id')
    .execute();
  return rows as ManagedAddress[];
}

/** Whose the addresses are that the service keeps the keys of, as EIP-55 writes them. */
export async function managedOwners(
  db: Db,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<
    Row<'wallet_addresses', 'wallet_address'> & Row<'crypto_wallets', 'user_id'>
  >(
    db,
    `select a.wallet_address, w.user_id from wallet_addresses a join crypto_wallets w using (bw_id)
      where a.wallet_address = any($1::text[])`,
    [addresses],
  );
  return new Map(rows.map(({ wallet_address, user_id }) => [wallet_address, user_id]));
}

/** The tokens that were imported to those wallets. */
export async function assetsOf(db: Db, wallets: readonly number[]): Promise<WalletAsset[]> {
  if (wallets.length === 0) return [];
  return db
    .selectFrom('wallet_assets as t')
    .innerJoin('wallet_addresses as a', 'a.address_id', 't.address_id')
    .select(['t.asset_id', 't.address_id', 't.contract_address', 't.symbol', 't.decimals'])
    .where('a.bw_id', 'in', [...wallets])
    .orderBy('t.asset_id')
    .execute();
}

/** Known before the row is there, because the row's secrets are sealed for that id. */
export async function nextAddressId(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('wallet_addresses', 'address_id')) as id
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('A sequence without a next value');
  return row.id;
}

/** Nothing when the wallet has an address on that chain already. */
export const insertAddress = (
  tx: Db,
  place: { readonly address_id: number; readonly bw_id: number; readonly chain_id: ChainKey },
  { address }: Pick<NewWalletKey, 'address'>,
  sealed: SealedKey,
) =>
  tx
    .insertInto('wallet_addresses')
    .values({ ...place, ...sealed, wallet_address: address })
    .onConflict((conflict) => conflict.constraint('wallet_addresses_one_per_chain').doNothing())
    .returning(['address_id', 'wallet_address', 'created_at'])
    .executeTakeFirst();

/**
 * Removes the wallet with its addresses and keys; another one becomes primary in its place. CONFLICT
 * while something is on its way that needs a key. Nothing when there is no such wallet.
 */
export async function deleteWallet(
  tx: Db,
  user_id: number,
  bw_id: number,
): Promise<CryptoWallet | undefined> {
  await lockWalletOwner(tx, user_id);
  const deleted = await tx
    .deleteFrom('crypto_wallets')
    .where('bw_id', '=', bw_id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (sqlState(error) !== FOREIGN_KEY) throw error;
      throw fail('CONFLICT', 'A transaction of this wallet or its fee is still on its way');
    });
  if (deleted?.is_primary) await promoteOldest(tx, user_id);
  return deleted;
}

const promoteOldest = (tx: Db, user_id: number) =>
  tx
    .updateTable('crypto_wallets')
    .set({ is_primary: true })
    .where('bw_id', '=', (q) =>
      q
        .selectFrom('crypto_wallets')
        .select('bw_id')
        .where('user_id', '=', user_id)
        .orderBy('bw_id')
        .limit(1),
    )
    .execute();
