import { linkedOwners } from '#features/accounts/external-login/external-login.ts';
import { managedOwners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { proofsOf } from './store.ts';

/** Without a chain, on any of them. */
export interface WalletPlace {
  readonly wallet_address: string;
  readonly chain_id?: string;
}

/**
 * Whose wallet that is; nothing where it is not known. The service keeps its key for the user, or a signature
 * has proven it, or else the external provider has. EVM addresses as EIP-55 writes them.
 */
export async function walletOwner(db: Db, place: WalletPlace): Promise<number | undefined> {
  return (await walletOwners(db, [place.wallet_address], place.chain_id)).get(place.wallet_address);
}

/** The same of several addresses: those that are not in the answer are not known to be anyone's. */
export async function walletOwners(
  db: Db,
  addresses: readonly string[],
  chain_id?: string,
): Promise<ReadonlyMap<string, number>> {
  if (addresses.length === 0) return new Map();
  const linked = await linkedOwners(db, addresses);
  const proven = (await proofsOf(db, addresses))
    .filter(({ reach }) => reach === 'evm' || chain_id === undefined || reach === chain_id)
    // The proof by a key outranks that by the contract which the key has delegated to.
    .sort((a, b) => Number(a.reach === 'evm') - Number(b.reach === 'evm'));
  return new Map([
    ...linked,
    ...proven.map(({ wallet_address, user_id }) => [wallet_address, user_id] as const),
    ...(await managedOwners(db, addresses)),
  ]);
}

export async function isWalletOf(db: Db, user_id: number, place: WalletPlace): Promise<boolean> {
  return (await walletOwner(db, place)) === user_id;
}

/** How a wallet is proven, for the hint of whatever needs one. */
export const HOW_TO_PROVE =
  'Prove the wallet: POST /wallet-proofs/challenges gives a text, sign it with the wallet and send the signature ' +
  'to POST /wallet-proofs; or POST /extauth/auth/link-wallet with a token of the external log-in that names the wallet.';

/** The refusal of a wallet that is not known to be the caller's. */
export const notYourWallet = (): AppError =>
  fail('WALLET_ACCESS_DENIED', 'The wallet is not known to be yours: prove it first', {
    hint: HOW_TO_PROVE,
  });
