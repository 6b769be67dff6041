import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { type BookWindow, LINES_MAX } from '#kernel/reconciliation/rail.ts';
import type { CardTransaction } from './store.ts';

type NewReturn = Pick<Row<'card_returns'>, 'transaction_id' | 'units'> & {
  readonly way: 'chargeback' | 'reversal';
};

export async function insertReturn(
  tx: Db,
  { transaction_id, way, units }: NewReturn,
): Promise<Row<'card_returns', 'id'>> {
  const [row] = await run<Row<'card_returns', 'id'>>(
    tx,
    'insert into card_returns (transaction_id, way, units) values ($1, $2, $3) returning id',
    [transaction_id, way, units],
  );
  if (!row) throw new Error('A return was not stored');
  return row;
}

/** How many lines there are of what the network has taken of a transaction, or given again. */
export async function countReturns(tx: Db, transaction_id: number): Promise<number> {
  const [row] = await run<{ lines: number }>(
    tx,
    'select count(*)::integer as lines from card_returns where transaction_id = $1',
    [transaction_id],
  );
  return row?.lines ?? 0;
}

/** What the network has charged back of top-ups, or given again (below zero), as a line for its rail. */
export type ReturnLine = Row<'card_returns', 'id' | 'units' | 'happened_at'> &
  Pick<CardTransaction, 'rrn' | 'terminal' | 'currency' | 'client_id'>;

/** In the order of their times, after one of them; a page of them. */
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

/** Transactions of that number at the network which know nothing of such a charge-back yet. */
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
