import type { Hash } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import { ID_MAX } from '#kernel/http/wire.ts';
import type { Order } from './order-store.ts';
import type { Payment } from './payment-store.ts';

/** OWED to nothing owed but what is beyond the order's price: it pays that from now on. */
export async function recordAssigned(
  tx: Db,
  { payment_id }: Pick<Payment, 'payment_id'>,
  { serial, order_id, units }: Pick<Order, 'serial' | 'order_id' | 'units'>,
  by: number,
): Promise<Payment | undefined> {
  const [row] = await run<Payment>(
    tx,
    `update marketplace_payments p
     set order_serial = $2, assigned_order_id = $3, assigned_by = $5, applied_units = $4,
         owed_units = p.units - $4,
         reason = case when p.units > $4 then 'OVERPAID' end,
         refund = case when p.units > $4 then 'OWED' else 'NONE' end
     where payment_id = $1 and state = 'COUNTED' and refund = 'OWED' and adrift_until is null
       and applied_units = 0 and sent_units = 0 and p.units >= $4 returning p.*`,
    [payment_id, serial, order_id, units.toString(), by],
  );
  return row;
}

/** OWED to SENT, by others than us. */
export async function recordSettled(
  tx: Db,
  payment_id: number,
  note: string,
  by: number,
): Promise<Payment | undefined> {
  const [row] = await run<Payment>(
    tx,
    `update marketplace_payments
     set refund = 'SENT', sent_units = owed_units, settled_note = $2, refunded_by = $3
     where payment_id = $1 and refund = 'OWED' and adrift_until is null returning *`,
    [payment_id, note, by],
  );
  return row;
}

/** What becomes of a loss, once. */
export async function recordWrittenOff(
  tx: Db,
  payment_id: number,
  note: string,
  by: number,
): Promise<Payment | undefined> {
  const [row] = await run<Payment>(
    tx,
    `update marketplace_payments set loss_note = $2, loss_closed_by = $3
     where payment_id = $1 and state = 'GONE' and (applied_units > 0 or sent_units > 0)
       and loss_note is null returning *`,
    [payment_id, note, by],
  );
  return row;
}

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

/** What the chains have dropped after it was used, and nobody has dealt with, newest first. */
export const listLost = (
  db: Db,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<Payment[]> =>
  run(
    db,
    `select * from marketplace_payments
     where state = 'GONE' and (applied_units > 0 or sent_units > 0) and loss_note is null
       and payment_id < $1
     order by payment_id desc limit $2`,
    [before ?? ID_MAX, limit],
  );

/** How many of those there are, up to some thousands. */
export async function countLost(db: Db): Promise<number> {
  const [row] = await run<{ n: number }>(
    db,
    `select count(*)::integer as n from (
       select from marketplace_payments
        where state = 'GONE' and (applied_units > 0 or sent_units > 0) and loss_note is null
        limit 10000) as lost`,
    [],
  );
  return row?.n ?? 0;
}

/** How many there are, up to some thousands: more than that is all the same to whoever is alerted. */
export const countOwed = (db: Db): Promise<{ reason: string; n: number }[]> =>
  run(
    db,
    `select reason, count(*) as n from (
       select reason from marketplace_payments where refund in ('OWED', 'SENDING') limit 10000) as owed
     group by reason`,
    [],
  );
