import { findByReference } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { ORDER_ID, purchaseReferenceOf } from './store.ts';

interface Paid {
  readonly payer: string;
  /** What the payer has called the order; anybody may write anything there. */
  readonly orderText: string | undefined;
}

/**
 * Of payments at the payment contract those that are for something else than a purchase of ours. The
 * journal has each of ours before it is sent, and the contract takes one for a name and payer.
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
