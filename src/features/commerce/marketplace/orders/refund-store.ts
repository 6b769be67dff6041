import type { Hash } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { MarketplaceOrder } from './order-store.ts';
import type { MarketplacePayment } from './payment-store.ts';

const IS_OWED = "refund in ('OWED', 'SENDING')";
const IS_LOST = "state = 'GONE' and (applied_units > 0 or sent_units > 0) and loss_note is null";

async function onePayment(
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<MarketplacePayment | undefined> {
  const [row] = await run<MarketplacePayment>(db, text, values);
  return row;
}

/** The payment pays an order; only the part beyond its price stays OWED. */
export const recordAssigned = (
  tx: Db,
  { payment_id }: Pick<MarketplacePayment, 'payment_id'>,
  { serial, order_id, units }: Pick<MarketplaceOrder, 'serial' | 'order_id' | 'units'>,
  by: number,
): Promise<MarketplacePayment | undefined> =>
  onePayment(
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

/** OWED to SENT, by other means than ours. */
export const recordSettled = (
  tx: Db,
  payment_id: number,
  note: string,
  by: number,
): Promise<MarketplacePayment | undefined> =>
  onePayment(
    tx,
    `update marketplace_payments
     set refund = 'SENT', sent_units = owed_units, settled_note = $2, refunded_by = $3
     where payment_id = $1 and refund = 'OWED' and adrift_until is null returning *`,
    [payment_id, note, by],
  );

/** Closes a loss, once. */
export const recordWrittenOff = (
  tx: Db,
  payment_id: number,
  note: string,
  by: number,
): Promise<MarketplacePayment | undefined> =>
  onePayment(
    tx,
    `update marketplace_payments set loss_note = $2, loss_closed_by = $3
     where payment_id = $1 and ${IS_LOST} returning *`,
    [payment_id, note, by],
  );

export const findMarketplacePayment = (
  db: Db,
  payment_id: number,
): Promise<MarketplacePayment | undefined> =>
  onePayment(db, 'select * from marketplace_payments where payment_id = $1', [payment_id]);

/** OWED to SENDING; undefined where nothing is owed, or a refund is in flight already. */
export const startRefund = (
  tx: Db,
  payment_id: number,
  by: number,
): Promise<MarketplacePayment | undefined> =>
  onePayment(
    tx,
    `update marketplace_payments set refund = 'SENDING', refunded_by = $2
     where payment_id = $1 and refund = 'OWED' and adrift_until is null returning *`,
    [payment_id, by],
  );

/** SENDING to SENT. */
export const recordRefunded = (
  tx: Db,
  payment_id: number,
  hash: Hash,
): Promise<MarketplacePayment | undefined> =>
  onePayment(
    tx,
    `update marketplace_payments
     set refund = 'SENT', sent_units = owed_units, refund_tx_hash = $2
     where payment_id = $1 and refund = 'SENDING' returning *`,
    [payment_id, hash],
  );

/** SENDING to OWED: the refund was not sent. The next one has another reference. */
export const reopenRefund = (tx: Db, payment_id: number): Promise<MarketplacePayment | undefined> =>
  onePayment(
    tx,
    `update marketplace_payments set refund = 'OWED', refund_attempt = refund_attempt + 1
     where payment_id = $1 and refund = 'SENDING' returning *`,
    [payment_id],
  );

/** Payments that are owed to payers, newest first. */
export const listOwed = (db: Db, page: Page): Promise<MarketplacePayment[]> =>
  list(db, IS_OWED, page);

/** Payments that a chain dropped after they were used, and that no operator has closed, newest first. */
export const listLost = (db: Db, page: Page): Promise<MarketplacePayment[]> =>
  list(db, IS_LOST, page);

interface Page {
  readonly before: number | undefined;
  readonly limit: number;
}

const list = (db: Db, which: string, { before, limit }: Page): Promise<MarketplacePayment[]> =>
  run(
    db,
    `select * from marketplace_payments where ${which} and payment_id < $1
     order by payment_id desc limit $2`,
    [before ?? ID_MAX, limit],
  );

/** Counts open losses, up to 10,000. */
export async function countLost(db: Db): Promise<number> {
  const [row] = await run<{ n: number }>(
    db,
    `select count(*)::integer as n from (
       select from marketplace_payments
        where ${IS_LOST} limit 10000) as lost`,
    [],
  );
  return row?.n ?? 0;
}

/** Counts owed payments by reason, up to 10,000: an alert needs no more. */
export const countOwed = (db: Db): Promise<{ reason: string; n: number }[]> =>
  run(
    db,
    `select reason, count(*) as n from (
       select reason from marketplace_payments where ${IS_OWED} limit 10000) as owed
     group by reason`,
    [],
  );
