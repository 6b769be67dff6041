import type { ChainKey } from '#chains/evm/port.ts';
import { addressesOf, walletsOf } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import type { Db } from '#kernel/db/db.ts';

/** One of the user's wallets, with its address on each chain. */
export interface NamedWallet {
  readonly bw_id: number;
  readonly wallet_name: string;
  readonly addresses: Readonly<Partial<Record<ChainKey, string>>>;
}

/** The user's own wallets, the primary one first. */
export async function namedWalletsOf(db: Db, user_id: number): Promise<NamedWallet[]> {
  const wallets = await walletsOf(db, user_id);
  const rows = await addressesOf(
    db,
    wallets.map(({ bw_id }) => bw_id),
  );
  return wallets.map(({ bw_id, wallet_name }) => ({
    bw_id,
    wallet_name,
    addresses: Object.fromEntries(
      rows
        .filter((row) => row.bw_id === bw_id)
        .map(({ chain_id, wallet_address }) => [chain_id, wallet_address]),
    ),
  }));
}

/** Those with that name, address or label in any case; all where `name` is undefined. */
export function walletsNamed(
  wallets: readonly NamedWallet[],
  name: string | undefined,
): readonly NamedWallet[] {
  if (name === undefined) return wallets;
  const wanted = name.trim().toLowerCase();
  return wallets.filter((wallet) =>
    spellingsOf(wallet).some((spelling) => spelling.toLowerCase() === wanted),
  );
}

const spellingsOf = (wallet: NamedWallet): string[] => [
  wallet.wallet_name,
  ...Object.values(wallet.addresses).flatMap((address) => [
    address,
    shortAddress(address),
    labelOf(wallet, address),
  ]),
];

const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

const labelOf = ({ wallet_name }: NamedWallet, address: string): string =>
  `${wallet_name} (${shortAddress(address)})`;

/** As an option for the user: two wallets may have one name. */
export const walletLabel = (wallet: NamedWallet, chain: ChainKey): string =>
  labelOf(wallet, wallet.addresses[chain] ?? '');

/** Those that have an address on that chain. */
export const walletsOn = (wallets: readonly NamedWallet[], chain: string): readonly NamedWallet[] =>
  wallets.filter(({ addresses }) => addresses[chain as ChainKey] !== undefined);
