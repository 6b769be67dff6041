import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { type Fiat, fiatCurrencyOf } from './currencies.ts';
import { emitFiatWallet } from './events.ts';
import { countryOf, type FiatWallet, fiatWalletOf, insertFiatWallet } from './store.ts';

/** Opens the user's wallet of that currency, or finds it; there is one of each. */
export const openWallet = (db: Db, user_id: number, currency: Fiat): Promise<OpenedWallet> =>
  transact(db, (tx) => open(tx, { user_id }, currency));

/** Its owner; the client where it is known already. */
interface Owner {
  readonly user_id: number;
  readonly client_id?: number;
}

interface OpenedWallet {
  readonly wallet: FiatWallet;
  readonly created: boolean;
}

async function open(tx: Db, { user_id, client_id }: Owner, currency: Fiat): Promise<OpenedWallet> {
  const created = await insertFiatWallet(tx, user_id, currency);
  if (created) {
    const owner = { client_id: client_id ?? (await clientOfUser(tx, user_id)) };
    emitFiatWallet(tx, 'created', { ...created, ...owner });
    return { wallet: created, created: true };
  }
  const wallet = await fiatWalletOf(tx, user_id, currency);
  if (!wallet) throw new Error(`Wallet of user ${user_id} in ${currency} vanished`);
  return { wallet, created: false };
}

/** Opens every new user's first wallet, in the client's currency. */
export async function openFirstWallet(
  tx: Db,
  user: Required<Owner> & { readonly country_code?: string },
): Promise<void> {
  const country_code = user.country_code ?? (await countryOf(tx, user.client_id));
  await open(tx, user, fiatCurrencyOf(country_code));
}
