import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import type { Asset } from '#kernel/money/money.ts';

/** The number of each account of the house, by the names that its owner uses. */
export type House<N extends string> = Readonly<Record<N, number>>;

/**
 * Opens accounts of the house by purpose and asset, one after the other on the same connection: a transaction must
 * not wait for another one.
 */
export async function houseAccountsOf<N extends string>(
  db: Db,
  accounts: Readonly<Record<N, readonly [purpose: string, asset: Asset]>>,
): Promise<House<N>> {
  const opened: Partial<Record<N, number>> = {};
  for (const name of Object.keys(accounts) as N[]) {
    const [purpose, asset] = accounts[name];
    opened[name] = await openAccount(db, houseAccount(purpose, asset));
  }
  return opened as House<N>;
}
