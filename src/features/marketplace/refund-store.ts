import type { Hash } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import { ID_MAX } from '#kernel/http/wire.ts';
import type { Payment } from './payment-store.ts';

export async function findPayment(db: Db, payment_id: number): Promise<Payment | undefined> {
  const [row] = await run<Payment>(db, 'select * from marketplace_payments where payment_id = $1', [
    payment_id,
  ]);
  return row;
}

/** OWED to SENDING; nothing where nothing is owed, or it is on its way already. */
export async function takeRefund(
  tx: Db,
  payment_id: number,
  by: number,
): Promise<Payment | undefined> {
  const [row] = await run<Payment>(
    tx,
    `update marketplace_payments set refund = 'SENDING', refunded_by = $2
     where payment_id = $1 and refund = 'OWED' and adrift_until is null returning *`,
    [payment_id, by],
  );
  return row;
}

/** SENDING to SENT. */
export async function recordRefunded(
  tx: Db,
  payment_id: number,
  hash: Hash,
): Promise<Payment | undefined> {
  const [row] = await run<Payment>(
    tx,
    `update marketplace_payments
     set refund = 'SENT', sent_units = owed_units, refund_tx_hash = $2
     where payment_id = $1 and refund = 'SENDING' returning *`,
    [payment_id, hash],
  );
  return row;
}

/** SENDING to OWED: it never left. The next one has another name. */
export async function takeBackRefund(tx: Db, payment_id: number): Promise<Payment | undefined> {
  const [row] = await run<Payment>(
    tx,
    `update marketplace_payments set refund = 'OWED', refund_attempt = refund_attempt + 1
     where payment_id = $1 and refund = 'SENDING' returning *`,
    [payment_id],
  );
  return row;
}

/** What is owed to payers, newest first. */
export const listOwed = (
  db: Db,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<Payment[]> =>
  run(
    db,
    `select * from marketplace_payments
     where refund in ('OWED', 'SENDING') and payment_id < $1
     order by payment_id desc limit $2`,
    [before ?? ID_MAX, limit],
  );

/** How many there are, up to some thousands: more than that is all the same to whoever is alerted. */
export const countOwed = (db: Db): Promise<{ reason: string; n: number }[]> =>
  run(
    db,
    `select reason, count(*) as n from (
       select reason from marketplace_payments where refund in ('OWED', 'SENDING') limit 10000) as owed
     group by reason`,
    [],
  );
