import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { openAccount } from '#kernel/ledger/accounts.ts';

/** The currencies a wallet can have (decisions: Where the contract names a thing). */
export const FIAT = ['USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND'] as const;
export type Fiat = (typeof FIAT)[number];

const BY_COUNTRY: Readonly<Record<string, Fiat>> = {
  ID: 'IDR',
  SG: 'SGD',
  US: 'USD',
  IN: 'INR',
  AU: 'AUD',
  VN: 'VND',
};

/** What a client's users hold and are shown amounts in. */
export const currencyOf = (country_code: string): Fiat => BY_COUNTRY[country_code] ?? 'USD';

export interface FiatWallet {
  readonly wallet_id: number;
  readonly user_id: number;
  readonly currency: Fiat;
  /** The ledger account that holds the balance. */
  readonly account_id: number;
  readonly created_at: string;
}

/** Opens the user's wallet of that currency, or finds it; there is one of each. */
export async function openWallet(
  tx: Db,
  user_id: number,
  currency: Fiat,
): Promise<{ wallet: FiatWallet; created: boolean }> {
  const account_id = await openAccount(tx, {
    owner: `user:${user_id}`,
    purpose: 'wallet',
    asset: currency,
  });
  const created = await tx
    .insertInto('fiat_wallets')
    .values({ user_id, currency, account_id })
    .onConflict((conflict) => conflict.constraint('fiat_wallets_once').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (created) return { wallet: created as FiatWallet, created: true };
  const wallet = await walletOf(tx, user_id, currency);
  if (!wallet) throw new Error(`Wallet of user ${user_id} in ${currency} vanished`);
  return { wallet, created: false };
}

/** What every new user gets: a wallet in the client's currency. */
export async function openFirstWallet(
  tx: Db,
  user: { readonly user_id: number; readonly client_id: number },
): Promise<void> {
  const { country_code } = await tx
    .selectFrom('clients')
    .select('country_code')
    .where('client_id', '=', user.client_id)
    .executeTakeFirstOrThrow();
  await openWallet(tx, user.user_id, currencyOf(country_code));
}

/** Nothing when the user has no wallet of that currency. */
export async function walletOf(
  db: Db,
  user_id: number,
  currency: Fiat,
): Promise<FiatWallet | undefined> {
  // By its text, since every payment asks: to build the statement costs as much as to answer it.
  const text = 'select * from fiat_wallets where user_id = $1 and currency = $2';
  const [wallet] = await run<FiatWallet>(db, text, [user_id, currency]);
  return wallet;
}

/** Nothing when there is no such wallet within the caller's reach. */
export async function findWallet(
  db: Db,
  reach: TenantScope,
  wallet_id: number,
): Promise<FiatWallet | undefined> {
  const wallet = await db
    .selectFrom('fiat_wallets as w')
    .innerJoin('users as u', 'u.user_id', 'w.user_id')
    .select(['w.wallet_id', 'w.user_id', 'w.currency', 'w.account_id', 'w.created_at'])
    .where('w.wallet_id', '=', wallet_id)
    .where(({ ref }) => inTenantScope(reach, ref('w.user_id'), ref('u.client_id')))
    .executeTakeFirst();
  return wallet as FiatWallet | undefined;
}
