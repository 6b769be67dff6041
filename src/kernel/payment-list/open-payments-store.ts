import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import { isAsset } from '../money/money.ts';
import { objectId } from '../object-id.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '../person-data/closing-check.ts';

/** Payments of a person whose outcome is open, over all rails. */
export async function openPaymentsOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const open = await run<Row<'payments', 'payment_id' | 'currency' | 'amount'>>(
    db,
    `select payment_id, currency, amount from payments where user_id = $1 and status = 'PENDING'
      order by payment_id limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return open.map(({ payment_id, currency, amount }) => {
    const id = objectId('pay', payment_id);
    const money = isAsset(currency) && { amount: { asset: currency, units: amount } };
    return { type: 'payment', id, ...(money || {}), href: `/payments/${id}` };
  });
}
