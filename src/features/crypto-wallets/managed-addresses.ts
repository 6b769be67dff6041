import type { Address } from 'viem';
import { addressOf, CHAINS, type ChainKey, type Signer } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { signerFor } from './custody.ts';
import { type CryptoWallet, findWallet, insertWallet, lockOwner } from './store.ts';

/** An address that the service keeps the key of, with the wallet it belongs to. */
export interface ManagedAddress {
  readonly address_id: number;
  readonly bw_id: number;
  readonly user_id: number;
  readonly client_id: number;
  readonly wallet_name: string;
  readonly wallet_label: string;
  readonly chain_id: ChainKey;
  readonly wallet_address: Address;
  /** The private key, which only `signerOf` opens. */
  readonly sealed_key: string;
}

/** `chain_id` narrows them to that chain, `wallet_address` to that address however it is written. */
export interface AddressFilter {
  readonly chain_id?: ChainKey;
  readonly wallet_address?: string;
  readonly bw_id?: number;
}

/** Those within the caller's reach, the primary wallet's first, then the oldest. */
export async function managedAddresses(
  db: Db,
  reach: TenantScope,
  filter: AddressFilter,
): Promise<ManagedAddress[]> {
  const { chain_id, wallet_address, bw_id } = filter;
  const address = wallet_address === undefined ? undefined : addressOf(wallet_address);
  if (wallet_address !== undefined && address === undefined) return [];
  const rows = await db
    .selectFrom('wallet_addresses as a')
    .innerJoin('crypto_wallets as w', 'w.bw_id', 'a.bw_id')
    .innerJoin('users as u', 'u.user_id', 'w.user_id')
    .select(['a.address_id', 'a.bw_id', 'w.user_id', 'u.client_id', 'w.wallet_name'])
    .select(['w.wallet_label', 'a.chain_id', 'a.wallet_address', 'a.sealed_key'])
    .where(({ ref }) => inTenantScope(reach, ref('w.user_id'), ref('u.client_id')))
    .$if(chain_id !== undefined, (q) => q.where('a.chain_id', '=', chain_id ?? ''))
    .$if(address !== undefined, (q) => q.where('a.wallet_address', '=', address ?? ''))
    .$if(bw_id !== undefined, (q) => q.where('a.bw_id', '=', bw_id ?? 0))
    .orderBy('w.is_primary', 'desc')
    .orderBy('a.address_id')
    .execute();
  return rows as ManagedAddress[];
}

/** Nothing when there is no such wallet within reach. */
export const findCryptoWallet = (
  db: Db,
  reach: TenantScope,
  bw_id: number,
): Promise<Pick<CryptoWallet, 'bw_id' | 'user_id' | 'wallet_name' | 'wallet_label'> | undefined> =>
  findWallet(db, reach, bw_id);

/** Signs for that address, opening its key for each signature. */
export const signerOf = (vault: Vault, address: ManagedAddress): Signer =>
  signerFor(vault, address);

/** How to sign for a user's wallets on a chain, the primary wallet first. */
export const userSigners =
  (db: Db, vault: Vault) =>
  async (user_id: number, chain_id: ChainKey): Promise<Signer[]> => {
    const addresses = await managedAddresses(db, { user_id }, { chain_id });
    return addresses.map((address) => signerOf(vault, address));
  };

/** How the chains find the signer of a wallet by its address, to replace what is stuck. */
export const walletSigners =
  (db: Db, vault: Vault) =>
  async (wallet_address: string): Promise<Signer | undefined> => {
    const [address] = await managedAddresses(db, {}, { wallet_address });
    return address && signerOf(vault, address);
  };

/** The wallet named so for that chain, without an address yet. The user's first one is primary. */
export async function openCryptoWallet(
  tx: Db,
  wallet: { readonly user_id: number; readonly wallet_name: string; readonly chain_id: ChainKey },
): Promise<CryptoWallet> {
  const { user_id, wallet_name, chain_id } = wallet;
  await lockOwner(tx, user_id);
  return insertWallet(tx, {
    user_id,
    wallet_name,
    wallet_label: `${wallet_name} (${CHAINS[chain_id].name})`,
  });
}

const FIRST_WALLET = 'Main wallet';

/** What an approved individual gets: a wallet, unless there is one (contract: Identity, Events). */
export async function openWalletOnApproval(tx: Db, user_id: number): Promise<void> {
  await lockOwner(tx, user_id);
  const wallet = await tx
    .selectFrom('crypto_wallets')
    .select('bw_id')
    .where('user_id', '=', user_id)
    .limit(1)
    .executeTakeFirst();
  if (wallet) return;
  await insertWallet(tx, { user_id, wallet_name: FIRST_WALLET, wallet_label: FIRST_WALLET });
}
