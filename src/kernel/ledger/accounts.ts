import { type Db, run } from '../db/db.ts';
import { sqlState } from '../db/sql-errors.ts';
import { dryRunNow } from '../dry-run.ts';
import { fail } from '../error.ts';
import type { Asset } from '../money/money.ts';
import { poolOf } from '../transact.ts';

/** There is one account of each owner, purpose and asset. */
export interface AccountName {
  /** Such as `user:17`. */
  readonly owner: string;
  readonly purpose: string;
  readonly asset: Asset;
  /** For accounts that stand for the world outside or a position of ours. */
  readonly mayGoNegative?: boolean;
}

/** In units. `available` is what may be spent: posted less what is held and owed, and of a frozen account nothing. */
export interface Balance {
  readonly posted: bigint;
  readonly held: bigint;
  readonly available: bigint;
  readonly is_frozen: boolean;
}

/** SQL of what may be spent of an account. */
export const SPENDABLE = `case when status = 'frozen' then 0
  when owed > 0 then greatest(posted - held - owed, 0) else posted - held end`;

/** The account's id; opens it the first time. Safe when several callers ask at once. */
export async function openAccount(db: Db, name: AccountName): Promise<number> {
  const known = name.mayGoNegative ? houseOf(db) : undefined;
  const key = `${name.owner} ${name.purpose} ${name.asset}`;
  const found = known?.get(key);
  if (found !== undefined) return found;
  const account = await findOrOpen(db, name);
  // What a dry run has opened is undone.
  if (account.is_lasting && !dryRunNow()) known?.set(key, account.account_id);
  return account.account_id;
}

/** The platform's own are few, and every operation asks for some: their numbers are kept by pool. */
const house = new WeakMap<Db, Map<string, number>>();

function houseOf(db: Db): Map<string, number> | undefined {
  const pool = poolOf(db);
  if (pool === undefined) return undefined;
  const known = house.get(pool) ?? new Map<string, number>();
  house.set(pool, known);
  return known;
}

async function findOrOpen(db: Db, name: AccountName): Promise<AccountRow> {
  const { owner, purpose, asset, mayGoNegative = false } = name;
  const text = `select account_id, is_lasting from ${openAccountSql('$1', '$2', '$3', '$4')}`;
  const [account] = await run<AccountRow>(db, text, [owner, purpose, asset, mayGoNegative]);
  if (!account) throw new Error(`No account ${owner} ${purpose} ${asset}`);
  return account;
}

/** Whose an account is, and what it is for. */
export interface AccountFacts {
  readonly account_id: number;
  readonly owner: string;
  readonly purpose: string;
  readonly asset: Asset;
}

/** Of each account that there is. */
export async function describeAccounts(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccountFacts>> {
  if (ids.length === 0) return new Map();
  const text = `select account_id, owner, purpose, asset from ledger.accounts
    where account_id = any($1)`;
  const rows = await run<AccountFacts>(db, text, [ids]);
  return new Map(rows.map((row) => [row.account_id, row]));
}

/** What `openAccount` asks, in SQL by hand, as a table of one row: `account_id`, and whether it `is_lasting`. */
export const openAccountSql = (
  owner: string,
  purpose: string,
  asset: string,
  mayGoNegative = 'false',
): string => `ledger.open_account(${owner}, ${purpose}, ${asset}, ${mayGoNegative})`;

/** The platform's own account of that purpose: fees, settlement with a provider, a position. */
export const houseAccount = (purpose: string, asset: Asset): AccountName => ({
  owner: 'house',
  purpose,
  asset,
  mayGoNegative: true,
});

/** No more postings from now on. CONFLICT while money is in it; false when it was not open. */
export async function closeAccount(db: Db, accountId: number): Promise<boolean> {
  const text = `update ledger.accounts set status = 'closed'
    where (account_id = $1 or part_of = $1) and status = 'open' returning account_id`;
  const rows = await run(db, text, [accountId]).catch((error: unknown) => {
    if (sqlState(error) === '23514') throw fail('CONFLICT', 'Account is not empty');
    throw error;
  });
  return rows.length > 0;
}

/** From now on nothing is taken from it but what was set aside before; false when it was not open. */
export const freezeAccount = (db: Db, accountId: number): Promise<boolean> =>
  become(db, accountId, ['open', 'frozen']);

/** False when it was not frozen. */
export const unfreezeAccount = (db: Db, accountId: number): Promise<boolean> =>
  become(db, accountId, ['frozen', 'open']);

async function become(
  db: Db,
  accountId: number,
  [was, is]: readonly ['open' | 'frozen', 'open' | 'frozen'],
): Promise<boolean> {
  const text = `update ledger.accounts set status = $3
    where account_id = $1 and status = $2 returning account_id`;
  return (await run(db, text, [accountId, was, is])).length > 0;
}

/** Throws for an account that does not exist: its id came from `openAccount`. */
export async function balanceOf(db: Db, accountId: number): Promise<Balance> {
  const balance = (await balancesOf(db, [accountId])).get(accountId);
  if (!balance) throw new Error(`No account ${accountId}`);
  return balance;
}

/** An account's balance by its name: nothing where it was never opened. */
export async function balanceByName(
  db: Db,
  { owner, purpose, asset }: AccountName,
): Promise<Omit<Balance, 'is_frozen'>> {
  const text = `select coalesce(sum(posted), 0) as posted, coalesce(sum(held), 0) as held,
      coalesce(sum(${SPENDABLE}), 0) as available
    from ledger.accounts where owner = $1 and purpose = $2 and asset = $3`;
  const [row] = await run<Omit<Balance, 'is_frozen'>>(db, text, [owner, purpose, asset]);
  return row ?? { posted: 0n, held: 0n, available: 0n };
}

/** The balances of those of the accounts that exist, their parts included, in one statement. */
export async function balancesOf(
  db: Db,
  accountIds: readonly number[],
): Promise<Map<number, Balance>> {
  const text = `select coalesce(part_of, account_id) as account_id, sum(posted) as posted,
      sum(held) as held, sum(${SPENDABLE}) as available, bool_or(status = 'frozen') as is_frozen
    from ledger.accounts where account_id = any($1) or part_of = any($1) group by 1`;
  const rows = await run<Balance & { account_id: number }>(db, text, [accountIds]);
  return new Map(rows.map(({ account_id, ...balance }) => [account_id, balance]));
}

/**
 * SQL of the users' wallets in rupiah of which something may be spent, by an index in the order of the users, but the frozen and
 * those that owe;
 * `isEnough` are those with as much as is converted by the day.
 */
export const rupiahToConvert = (isEnough: boolean): string => `
  select account_id, ledger.user_of(owner) as user_id, posted - held as available from ledger.accounts
  where to_convert ${isEnough ? '= 2' : '> 0'} and purpose = 'wallet' and status = 'open' and owed = 0`;

/** SQL of what every account that has no parts has seen, as `AccountTotals` names it. */
export const TOTALS = `select account_id, owner, asset, moves, volume, posted as balance, held,
    ${SPENDABLE} as available from ledger.accounts`;

/** What one account has seen, in units of its asset; kept by the ledger, so no history is read. */
export interface AccountTotals {
  readonly owner: string;
  readonly asset: Asset;
  /** Lines of its statement that moved money. */
  readonly moves: number;
  /** All that came and went. */
  readonly volume: bigint;
  readonly balance: bigint;
  readonly held: bigint;
  readonly available: bigint;
}

interface AccountRow {
  account_id: number;
  /** Not of this transaction, which may be undone. */
  is_lasting: boolean;
}
