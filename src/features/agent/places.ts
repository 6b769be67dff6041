import type { ChainKey } from '#chains/evm/port.ts';
import { addressesOf, walletsOf } from '#features/crypto-wallets/crypto-wallets.ts';
import type { Db } from '#kernel/db/db.ts';

/** A wallet of the user's, and where it is. */
export interface Place {
  readonly bw_id: number;
  readonly wallet_name: string;
  readonly addresses: Readonly<Partial<Record<ChainKey, string>>>;
}

/** The user's own wallets, the primary one first. */
export async function placesOf(db: Db, user_id: number): Promise<Place[]> {
  const wallets = await walletsOf(db, user_id);
  const rows = await addressesOf(
    db,
    wallets.map(({ bw_id }) => bw_id),
  );
  return wallets.map(({ bw_id, wallet_name }) => ({
    ...{ bw_id, wallet_name },
    addresses: Object.fromEntries(
      rows
        .filter((row) => row.bw_id === bw_id)
        .map(({ chain_id, wallet_address }) => [chain_id, wallet_address]),
    ),
  }));
}

/** Those of that name, in whatever case; all where none is named. */
export const placesNamed = (
  places: readonly Place[],
  name: string | undefined,
): readonly Place[] =>
  name === undefined
    ? places
    : places.filter(({ wallet_name }) => wallet_name.toLowerCase() === name.trim().toLowerCase());

/** The first that has an address there. */
export const placeOn = (places: readonly Place[], chain: string): Place | undefined =>
  places.find(({ addresses }) => addresses[chain as ChainKey] !== undefined);
