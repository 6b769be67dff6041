import { type Db, run } from '../db/db.ts';

/** One entry of an account, with the balances it left behind. Amounts are units. */
export interface StatementRow {
  readonly seq: number;
  readonly transfer_id: number;
  readonly key: string;
  readonly kind: string;
  readonly meta: Record<string, unknown> | null;
  readonly amount: bigint;
  readonly held_delta: bigint;
  readonly posted_after: bigint;
  readonly held_after: bigint;
  readonly created_at: string;
}

/**
 * A page of the account's entries, newest first. The next page is `before` the last row's `seq`: an
 * account's numbers have no gaps and only grow, so pages neither repeat nor miss an entry.
 */
export function statementOf(
  db: Db,
  accountId: number,
  page: { before?: number; limit: number },
): Promise<StatementRow[]> {
  const text = `select e.seq, e.transfer_id, t.operation_key as key, t.kind, t.meta, e.amount,
      e.held_delta, e.posted_after, e.held_after, t.created_at
    from ledger.entries e join ledger.transfers t using (transfer_id)
    where e.account_id = $1 and e.seq < $2
    order by e.seq desc limit $3`;
  return run(db, text, [accountId, page.before ?? Number.MAX_SAFE_INTEGER, page.limit]);
}
