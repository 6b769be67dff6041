import { clientOfUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { openAccount } from '#kernel/ledger/accounts.ts';
import { currencyOf, type Fiat } from './currencies.ts';
import { emitCreated } from './events.ts';
import { countryOf, type FiatWallet, insertWallet, walletOf } from './store.ts';

/** Opens the user's wallet of that currency, or finds it; there is one of each. */
export const openWallet = (db: Db, user_id: number, currency: Fiat): Promise<Opened> =>
  transact(db, (tx) => open(tx, user_id, currency));

interface Opened {
  readonly wallet: FiatWallet;
  readonly created: boolean;
}

async function open(tx: Db, user_id: number, currency: Fiat): Promise<Opened> {
  const account_id = await openAccount(tx, {
    owner: `user:${user_id}`,
    purpose: 'wallet',
    asset: currency,
  });
  const created = await insertWallet(tx, { user_id, currency, account_id });
  if (created) {
    emitCreated(tx, created, await clientOfUser(tx, user_id));
    return { wallet: created, created: true };
  }
  const wallet = await walletOf(tx, user_id, currency);
  if (!wallet) throw new Error(`Wallet of user ${user_id} in ${currency} vanished`);
  return { wallet, created: false };
}

/** What every new user gets: a wallet in the client's currency. */
export async function openFirstWallet(
  tx: Db,
  user: { readonly user_id: number; readonly client_id: number },
): Promise<void> {
  const country_code = await countryOf(tx, user.client_id);
  await openWallet(tx, user.user_id, currencyOf(country_code));
}
