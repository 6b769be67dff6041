import { addressOf, CHAINS, type ChainKey, type Signer } from '#chains/evm/port.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { keyOf, sealKey, signerFor } from './custody.ts';
import { emitAddress, emitWallet } from './events.ts';
import {
  type AddressFilter,
  type CryptoWallet,
  findWallet,
  hasWallet,
  insertAddress,
  insertWallet,
  listManaged,
  lockWalletOwner,
  type ManagedAddress,
  nextAddressId,
} from './store.ts';

/** `wallet_address` narrows them to that address however it is written. */
type ManagedFilter = Omit<AddressFilter, 'wallet_address'> & { readonly wallet_address?: string };

/** Those within the caller's reach, the primary wallet's first, then the oldest. */
export async function managedAddresses(
  db: Db,
  reach: TenantScope,
  { wallet_address: written, ...filter }: ManagedFilter,
): Promise<ManagedAddress[]> {
  if (written === undefined) return listManaged(db, reach, filter);
  const wallet_address = addressOf(written);
  return wallet_address ? listManaged(db, reach, { ...filter, wallet_address }) : [];
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
  await lockWalletOwner(tx, user_id);
  const made = await insertWallet(tx, {
    user_id,
    wallet_name,
    wallet_label: `${wallet_name} (${CHAINS[chain_id].name})`,
    made_for_chain: chain_id,
  });
  await emitWallet(tx, 'created', made);
  return made;
}

const FIRST_WALLET = 'Main wallet';

/** What an approved individual gets: a wallet, unless there is one (contract: Identity, Events). */
export async function openWalletOnApproval(tx: Db, user_id: number): Promise<void> {
  await lockWalletOwner(tx, user_id);
  if (await hasWallet(tx, user_id)) return;
  const first = { user_id, wallet_name: FIRST_WALLET, wallet_label: FIRST_WALLET };
  await emitWallet(tx, 'created', await insertWallet(tx, first));
}

/** A first wallet whose address is that of words which are known, so that it is the same everywhere. */
export async function openWalletOfWords(
  tx: Db,
  vault: Vault,
  wallet: { readonly user_id: number; readonly chain_id: ChainKey; readonly mnemonic: string },
): Promise<void> {
  const { user_id, chain_id, mnemonic } = wallet;
  const made = await openCryptoWallet(tx, { user_id, wallet_name: FIRST_WALLET, chain_id });
  const { bw_id } = made;
  const key = await keyOf(mnemonic);
  const address_id = await nextAddressId(tx);
  const sealed = sealKey(vault, address_id, key);
  const row = await insertAddress(tx, { address_id, bw_id, chain_id }, key, sealed);
  if (row) await emitAddress(tx, made, { ...row, chain_id });
}
