import { type Db, run } from '../db/db.ts';
import type { Asset } from '../money/money.ts';

/** What an owner of accounts has, holds and owes. */
export interface PersonHoldings {
  readonly balances: readonly Amount[];
  readonly holds: readonly (Amount & { readonly hold: string })[];
  readonly debts: readonly (Amount & { readonly debt: string })[];
}

interface Amount {
  readonly account_id: number;
  readonly asset: Asset;
  readonly units: bigint;
}

/** A person has one account a currency, and one of points. */
const ACCOUNTS_MAX = 100;

/** Of a user, with the accounts locked: no posting changes them until the transaction ends. At most `limit` of each. */
export async function lockHoldings(
  tx: Db,
  user_id: number,
  limit: number,
): Promise<PersonHoldings> {
  const own = await run<Pick<Amount, 'account_id'>>(
    tx,
    `select account_id from ledger.accounts where owner = $1 order by owner, purpose, asset limit ${ACCOUNTS_MAX}`,
    [`user:${user_id}`],
  );
  const ids = own.map(({ account_id }) => account_id);
  // In the order in which postings lock them.
  const accounts = await run<Amount>(
    tx,
    `select account_id, asset, posted as units from ledger.accounts where account_id = any($1::bigint[])
      order by account_id for no key update`,
    [ids],
  );
  const values = [ids, limit];
  return {
    balances: accounts.filter(({ units }) => units !== 0n).slice(0, limit),
    holds: await run(
      tx,
      `select h.account_id, a.asset, h.units, h.hold from ledger.holds h join ledger.accounts a using (account_id)
        where h.account_id = any($1::bigint[]) and h.freed_seq is null order by h.account_id, h.hold limit $2`,
      values,
    ),
    debts: await run(
      tx,
      `select d.account_id, a.asset, d.owed as units, d.debt from ledger.debts d join ledger.accounts a using (account_id)
        where d.user_id = $1 and d.owed > 0 limit $2`,
      [user_id, limit],
    ),
  };
}
