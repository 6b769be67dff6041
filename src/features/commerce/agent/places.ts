import type { ChainKey } from '#chains/evm/port.ts';
import { addressesOf, walletsOf } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import type { Db } from '#kernel/db/db.ts';

/** A wallet of the user's, and where it is. */
export interface NamedWallet {
  readonly bw_id: number;
  readonly wallet_name: string;
  readonly addresses: Readonly<Partial<Record<ChainKey, string>>>;
}

/** The user's own wallets, the primary one first. */
export async function placesOf(db: Db, user_id: number): Promise<NamedWallet[]> {
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

/** Those of that name, address or label, in whatever case; all where none is named. */
export function placesNamed(
  places: readonly NamedWallet[],
  name: string | undefined,
): readonly NamedWallet[] {
  if (name === undefined) return places;
  const wanted = name.trim().toLowerCase();
  return places.filter((place) =>
    spellingsOf(place).some((spelling) => spelling.toLowerCase() === wanted),
  );
}

const spellingsOf = (place: NamedWallet): string[] => [
  place.wallet_name,
  ...Object.values(place.addresses).flatMap((address) => [
    address,
    shortAddress(address),
    labelOf(place, address),
  ]),
];

const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

const labelOf = ({ wallet_name }: NamedWallet, address: string): string =>
  `${wallet_name} (${shortAddress(address)})`;

/** As a user is offered it: two wallets may have one name. */
export const labelOn = (place: NamedWallet, chain: ChainKey): string =>
  labelOf(place, place.addresses[chain] ?? '');

/** Those that have an address there. */
export const placesOn = (places: readonly NamedWallet[], chain: string): readonly NamedWallet[] =>
  places.filter(({ addresses }) => addresses[chain as ChainKey] !== undefined);
