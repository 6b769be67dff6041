import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
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
 * Transactions that settled at the network in a window, by the network's own time, a page at a time. That time is
 * text in whole seconds, which sorts.
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

/** A charge-back of a top-up, or money that the network gave again (below zero), as a line of its rail. */
export type ReturnLine = Row<'card_returns', 'id' | 'units' | 'happened_at'> &
  Pick<CardTransaction, 'rrn' | 'terminal' | 'currency' | 'client_id'>;

/** A page of them in the order of their times, after a given one. */
export const listChargebacks = (
  db: Db,
  { from, to }: BookWindow,
  after: { readonly at: string; readonly id: number } | undefined,
): Promise<ReturnLine[]> =>
  run<ReturnLine>(
    db,
    `select r.id, t.rrn, t.terminal, t.currency, t.client_id, r.units, r.happened_at
     from card_returns r join card_transactions t on t.id = r.transaction_id
     where r.way = 'chargeback' and not t.simulated and r.happened_at < $2
       and (r.happened_at, r.id) > ($1, $3)
     order by r.happened_at, r.id limit ${LINES_MAX}`,
    [after?.at ?? from.toISOString(), to.toISOString(), after?.id ?? 0],
  );

/** Transactions with that number at the network for which such a charge-back is not booked yet. */
export const unawareOf = (
  db: Db,
  { rrn, terminal, units }: Pick<ReturnLine, 'rrn' | 'terminal' | 'units'>,
): Promise<Pick<Row<'card_transactions'>, 'transaction_identifier'>[]> =>
  run(
    db,
    `select transaction_identifier from card_transactions t
     where rrn = $1 and terminal = $2 and state = 'SETTLED' and not simulated
       and not exists (select from card_returns r where r.transaction_id = t.id and r.way = 'chargeback' and r.units = $3)`,
    [rrn, terminal, units],
  );
