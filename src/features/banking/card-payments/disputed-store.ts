import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CardPayment } from './payment-store.ts';

type CardSettlement = Row<'card_elements', 'transaction_token' | 'amount' | 'at'>;

/** The largest settlement of a payment, which a dispute is about, and the time of the last one. */
export async function disputableSettlement(
  db: Db,
  payment_id: string,
): Promise<CardSettlement | undefined> {
  const [row] = await run<CardSettlement>(
    db,
    `select transaction_token, amount, max(at) over () as at from card_elements
     where payment_id = $1 and type = 'settlement' and transaction_token is not null order by amount desc, element_id limit 1`,
    [payment_id],
  );
  return row;
}

/** One that is locked. */
export async function setDisputed(
  tx: Db,
  payment_id: string,
  is_disputed: boolean,
): Promise<CardPayment> {
  const [row] = await run<CardPayment>(
    tx,
    'update card_payments set is_disputed = $2 where payment_id = $1 returning *',
    [payment_id, is_disputed],
  );
  if (!row) throw new Error(`Card payment ${payment_id} is not there`);
  return row;
}
