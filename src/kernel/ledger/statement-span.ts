import { type Db, run } from '../db/db.ts';
import { transact } from '../transact.ts';
import { settledMoment } from './explain.ts';

/** The entries of an account between two moments, by their numbers. Amounts are units. */
export interface StatementSpan {
  /** The last moment that it covers, its whole millisecond included. */
  readonly at: string;
  /** The number of the last entry before it, and of the last one in it. */
  readonly first: number;
  readonly last: number;
  readonly opening: bigint;
  readonly closing: bigint;
}

/**
 * The span of an account that has no parts, from one moment up to another, or up to the present where that is yet to come, or to
 * `at`. Postings that had begun before its end are waited for, so that the same span has the same entries for good.
 * Undefined where `at` is yet to come.
 */
export function statementSpan(
  db: Db,
  account_id: number,
  {
    from,
    to,
    at,
  }: { readonly from: string; readonly to: string; readonly at?: string | undefined },
): Promise<StatementSpan | undefined> {
  return transact(db, async (tx) => {
    const known = await settledMoment(tx, account_id, at);
    if (known === undefined) return undefined;
    const end = to < known ? to : known;
    const [edges] = await run<Omit<StatementSpan, 'at'>>(
      tx,
      `select b.first, b.last, coalesce(o.posted_after, 0) as opening, coalesce(l.posted_after, 0) as closing
       from (select ledger.seq_since($1, $2::timestamptz) - 1 as first,
               ledger.seq_since($1, $3::timestamptz + interval '1 millisecond') - 1 as last) b
       left join ledger.entries o on o.account_id = $1 and o.seq = b.first
       left join ledger.entries l on l.account_id = $1 and l.seq = b.last`,
      [account_id, from, end],
    );
    if (!edges) throw new Error(`No account ${account_id}`);
    return { at: end, ...edges };
  });
}
