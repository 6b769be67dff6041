import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { dryRunNow } from '#kernel/dry-run.ts';
import { type AccountTotals, openAccountSql, TOTALS } from '#kernel/ledger/accounts.ts';
import type { Fiat } from './currencies.ts';

/** A wallet; its balance is that of the ledger account `account_id`. */
export type FiatWallet = Row<'fiat_wallets'> & { readonly currency: Fiat };

/** Nothing when the user has one of that currency already. */
export async function insertFiatWallet(
  tx: Db,
  user_id: number,
  currency: Fiat,
): Promise<FiatWallet | undefined> {
  return (await run<FiatWallet>(tx, OPEN_WALLET, [user_id, currency]))[0];
}

/** With its account at the ledger. */
const OPEN_WALLET = `
  insert into fiat_wallets (user_id, currency, account_id)
  select $1::integer, $2::text, a.account_id
    from ${openAccountSql(`'user:' || $1::integer`, `'wallet'`, '$2::text')} a
  on conflict on constraint fiat_wallets_once do nothing returning *`;

export async function countryOf(db: Db, client_id: number): Promise<string> {
  const query = db.selectFrom('clients').select('country_code').where('client_id', '=', client_id);
  return (await query.executeTakeFirstOrThrow()).country_code;
}

export const fiatWalletsOf = (db: Db, user_id: number): Promise<FiatWallet[]> =>
  db
    .selectFrom('fiat_wallets')
    .selectAll()
    .$narrowType<{ currency: Fiat }>()
    .where('user_id', '=', user_id)
    .orderBy('wallet_id')
    .execute();

/**
 * The turnover of all wallets of those users. By the ids of users and accounts, which lie side by side in their
 * indexes; owners are texts, of which `user:10` and `user:11` are as far apart as all that begin with them.
 */
export const walletTotals = (db: Db, user_ids: readonly number[]): Promise<AccountTotals[]> =>
  run(
    db,
    `select * from (${TOTALS}) a where account_id = any(array(
       select account_id from fiat_wallets where user_id = any($1))) order by owner, asset`,
    [user_ids],
  );

/** The size of the cache, of the latest payers. */
const REMEMBERED_MAX = 50_000;
/** By pool: a wallet never changes and is never deleted. */
const remembered = new WeakMap<Db, Map<string, FiatWallet>>();

/** Nothing when the user has no wallet of that currency. A process reads it once. */
export async function fiatWalletOf(
  db: Db,
  user_id: number,
  currency: Fiat,
): Promise<FiatWallet | undefined> {
  // A transaction may see a wallet that is undone later; a dry run is one.
  if (db.isTransaction || dryRunNow()) return readWallet(db, user_id, currency);
  const known = remembered.get(db) ?? new Map<string, FiatWallet>();
  remembered.set(db, known);
  const name = `${user_id} ${currency}`;
  const wallet = known.get(name) ?? (await readWallet(db, user_id, currency));
  if (!wallet) return undefined;
  known.delete(name);
  known.set(name, wallet);
  const [oldest] = known.keys();
  if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
  return wallet;
}

async function readWallet(
  db: Db,
  user_id: number,
  currency: Fiat,
): Promise<FiatWallet | undefined> {
  // By text, since every payment reads it: to build the statement costs as much as to answer it.
  const text = 'select * from fiat_wallets where user_id = $1 and currency = $2';
  const [wallet] = await run<FiatWallet>(db, text, [user_id, currency]);
  return wallet;
}

/** The ledger accounts of wallets, by their ids. */
export async function accountsOfWallets(
  db: Db,
  wallet_ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const text = 'select wallet_id, account_id from fiat_wallets where wallet_id = any($1)';
  const rows = await run<Row<'fiat_wallets', 'wallet_id' | 'account_id'>>(db, text, [wallet_ids]);
  return new Map(rows.map(({ wallet_id, account_id }) => [wallet_id, account_id]));
}

/** Nothing when no such wallet is within the caller's reach. */
export async function findFiatWallet(
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

/** The wallets of these accounts that are within the caller's reach, by account. */
export async function walletsOfAccounts(
  db: Db,
  reach: TenantScope,
  accounts: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (accounts.length === 0) return new Map();
  const rows = await db
    .selectFrom('fiat_wallets as w')
    .innerJoin('users as u', 'u.user_id', 'w.user_id')
    .select(['w.account_id', 'w.wallet_id'])
    .where('w.account_id', 'in', [...accounts])
    .where(({ ref }) => inTenantScope(reach, ref('w.user_id'), ref('u.client_id')))
    .execute();
  return new Map(rows.map(({ account_id, wallet_id }) => [account_id, wallet_id]));
}
