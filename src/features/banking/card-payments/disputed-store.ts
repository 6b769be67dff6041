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

const PAYMENTS_MAX = 101;

/** What of each payment was settled, and not given back by its shop. */
export async function keptBySeller(
  db: Db,
  payments: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await run<Row<'card_payments', 'payment_id'> & { readonly kept: bigint }>(
    db,
    `select p.payment_id, greatest(p.settled - p.refunded, 0) as kept
     from unnest($1::uuid[]) a (id) cross join lateral (
       select * from card_payments where payment_id = a.id limit 1) p limit ${PAYMENTS_MAX}`,
    [payments],
  );
  return new Map(rows.map(({ payment_id, kept }) => [payment_id, kept]));
}

/** What a change of a dispute adds to, or takes from, the sums of its payment. */
export interface ClaimChange {
  readonly claimed: bigint;
  readonly won: bigint;
}

/** One that is locked. */
export async function setDisputed(
  tx: Db,
  payment_id: string,
  { isDisputed, claimed, won }: ClaimChange & { readonly isDisputed: boolean },
): Promise<CardPayment> {
  const [row] = await run<CardPayment>(
    tx,
    `update card_payments set is_disputed = $2, claimed = claimed + $3::numeric, won = won + $4::numeric
     where payment_id = $1 returning *`,
    [payment_id, isDisputed, claimed.toString(), won.toString()],
  );
  if (!row) throw new Error(`Card payment ${payment_id} is not there`);
  return row;
}
