import { type Db, run } from '../db/db.ts';

/** Entries that are summed together. */
export const SUMMED_TOGETHER = 1000;
const ACCOUNTS_AT_ONCE = 200;
/** Thousands of entries of one account in one statement. */
const MOST_AT_ONCE = 100;

/**
 * Sums by kind what has been verified, of each account in whole thousands of entries. History never changes, and neither do the
 * sums: what a process leaves undone is the next run's.
 */
export async function keepKindSums(db: Db): Promise<void> {
  for (;;) {
    const accounts = await run<{ account_id: number }>(
      db,
      `select account_id from ledger.verified_accounts
       where seq - summed * ${SUMMED_TOGETHER} >= ${SUMMED_TOGETHER} limit ${ACCOUNTS_AT_ONCE}`,
      [],
    );
    for (const { account_id } of accounts) await run(db, KEEP, [account_id]);
    if (accounts.length === 0) return;
  }
}

/** The row is locked first, so that no two processes sum the same. Of the house's accounts nothing is kept. */
const KEEP = `
  with due as materialized (
    select account_id, summed, least(seq / ${SUMMED_TOGETHER}, summed + ${MOST_AT_ONCE}) as upto
    from ledger.verified_accounts where account_id = $1 for no key update),
  kept as (
    insert into ledger.kind_sums (account_id, block, kind, entries, amount)
    select e.account_id, (e.seq - 1) / ${SUMMED_TOGETHER} + 1, t.kind, count(*), sum(e.amount)
    from due
    join ledger.accounts a on a.account_id = due.account_id and a.min_available is not null
    join ledger.entries e on e.account_id = due.account_id and e.amount <> 0
      and e.seq > due.summed * ${SUMMED_TOGETHER} and e.seq <= due.upto * ${SUMMED_TOGETHER}
    join ledger.transfers t using (transfer_id)
    group by 1, 2, 3
    on conflict do nothing)
  update ledger.verified_accounts v set summed = due.upto from due where v.account_id = due.account_id`;
