import { findByReference } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { ORDER_ID, purchaseReferenceOf } from './store.ts';

interface Paid {
  readonly payer: string;
  /** The payer's text for the order, which may be anything. */
  readonly orderText: string | undefined;
}

/**
 * The payments at the payment contract without those of purchases. The journal has each of a purchase's payments before
 * it is sent, and the contract accepts one for each order and payer.
 */
export async function withoutPurchases<P extends Paid>(
  db: Db,
  payments: readonly P[],
): Promise<P[]> {
  const named = payments.flatMap(({ orderText: order_id }) =>
    order_id !== undefined && ORDER_ID.test(order_id)
      ? [purchaseReferenceOf({ order_id }, 'pay')]
      : [],
  );
  if (named.length === 0) return [...payments];
  const signed = await findByReference(db, named);
  const ours = new Set(signed.map(({ reference, from_address }) => `${reference} ${from_address}`));
  return payments.filter(
    ({ orderText: order_id, payer }) =>
      order_id === undefined || !ours.has(`${purchaseReferenceOf({ order_id }, 'pay')} ${payer}`),
  );
}
