import { type Db, run } from '#kernel/db/db.ts';
import { type BookWindow, LINES_MAX } from '#kernel/reconciliation/rail.ts';
import type { CardTransaction } from './store.ts';

type ClearedRow = Pick<
  CardTransaction,
  | 'id'
  | 'reference_id'
  | 'rrn'
  | 'terminal'
  | 'type'
  | 'currency'
  | 'amount'
  | 'client_id'
  | 'transmitted_at'
>;

/**
 * What settled at the network in a window, by the network's own time, a page at a time. That is in whole
 * seconds and text, which is in order.
 */
export async function listCleared(
  db: Db,
  { from, to }: BookWindow,
  after: string | undefined,
): Promise<{ rows: ClearedRow[]; next?: string }> {
  const [at, id] = after?.split('|') ?? [secondOf(from), '0'];
  const rows = await run<ClearedRow>(
    db,
    `select id, reference_id, rrn, terminal, type, currency, amount, client_id, transmitted_at
     from card_transactions
     where state = 'SETTLED' and not simulated
       -- What the network has undone it does not clear.
       and coalesce((select sum(units) from card_returns r
         where r.transaction_id = card_transactions.id and r.way = 'reversal'), 0) <= 0
       and (transmitted_at, id) > ($1, $2::integer) and transmitted_at < $3
     order by transmitted_at, id limit ${LINES_MAX}`,
    [at, id, secondOf(to)],
  );
  const last = rows.at(-1);
  return last && rows.length === LINES_MAX
    ? { rows, next: `${last.transmitted_at}|${last.id}` }
    : { rows };
}

/** The first whole second that is not before it. */
const secondOf = (at: Date): string =>
  new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().slice(0, 19);
