import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { PriceCurrency } from '#providers/shop/port.ts';

/** The source of a product's price: its page, as we read it, or the caller, whom only mock mode trusts. */
export type PriceSource = 'PAGE' | 'CALLER';

export interface PurchaseOrderedProduct {
  readonly title: string;
  readonly priceText: string;
  readonly description: string | null;
  readonly image: string | null;
  readonly site: string | null;
  readonly url: string | null;
}

export interface PurchaseRecipient {
  readonly name: string;
  readonly phone: string;
  readonly address: string;
  readonly notes: string | null;
}

/** The contracts for the payment, as the answer showed them. */
export interface ChainInfoShown {
  readonly selected_chain: string;
  readonly chain_name: string;
  readonly contract_info: {
    readonly usdc_contract: string;
    readonly mcp_contract: string;
    readonly payment_contract: string;
    readonly rpc_url: string | null;
    readonly explorer_url: string;
  };
}

export type PurchaseOrderStatus =
  | 'CREATED'
  | 'PAYING'
  | 'PAID'
  | 'COMPLETED'
  | 'REFUNDING'
  | 'REFUNDED'
  | 'FAILED'
  | 'EXPIRED';

export type PurchaseOrder = Omit<
  Row<'purchase_orders'>,
  | 'chain_id'
  | 'wallet_address'
  | 'price_asset'
  | 'price_source'
  | 'status'
  | 'version'
  | 'product'
  | 'recipient'
  | 'chain_info'
> & {
  readonly chain_id: ChainKey;
  readonly wallet_address: Address;
  readonly price_asset: PriceCurrency;
  readonly price_source: PriceSource;
  readonly status: PurchaseOrderStatus;
  readonly version: 'v1' | 'v2';
  readonly product: PurchaseOrderedProduct;
  readonly recipient: PurchaseRecipient;
  readonly chain_info: ChainInfoShown;
};

export type NewPurchaseOrder = Pick<
  PurchaseOrder,
  'order_id' | 'operation' | 'user_id' | 'client_id' | 'version' | 'chain_id' | 'wallet_address'
> &
  Pick<PurchaseOrder, 'product' | 'recipient' | 'chain_info' | 'price_asset' | 'price_units'> &
  Pick<PurchaseOrder, 'price_source'> &
  Pick<
    PurchaseOrder,
    'usdc_units' | 'rate' | 'rates_source' | 'rates_at' | 'created_at' | 'expires_at'
  >;

/** Undefined where the operation has made one already. */
export async function insertPurchaseOrder(
  tx: Db,
  order: NewPurchaseOrder,
): Promise<PurchaseOrder | undefined> {
  const written = await tx
    .insertInto('purchase_orders')
    .values({
      ...order,
      product: JSON.stringify(order.product),
      recipient: JSON.stringify(order.recipient),
      chain_info: JSON.stringify(order.chain_info),
      updated_at: order.created_at,
    })
    .onConflict((conflict) => conflict.constraint('purchase_orders_operation').doNothing())
    .returning('order_id')
    .executeTakeFirst();
  return written && getOrder(tx, written.order_id);
}

/** Undefined where that user has begun no such operation. */
export async function purchaseFindByOperation(
  db: Db,
  user_id: number,
  operation: string,
): Promise<PurchaseOrder | undefined> {
  const text = 'select * from purchase_orders where operation = $1 and user_id = $2';
  const [order] = await run<PurchaseOrder>(db, text, [operation, user_id]);
  return order;
}

/** Undefined where that user has no such order. */
export async function findOwnOrder(
  db: Db,
  user_id: number,
  order_id: string,
): Promise<PurchaseOrder | undefined> {
  const text = 'select * from purchase_orders where order_id = $1 and user_id = $2';
  const [order] = await run<PurchaseOrder>(db, text, [order_id, user_id]);
  return order;
}

export async function getOrder(db: Db, order_id: string): Promise<PurchaseOrder> {
  const text = 'select * from purchase_orders where order_id = $1';
  const [order] = await run<PurchaseOrder>(db, text, [order_id]);
  if (!order) throw new Error(`There is no order ${order_id}`);
  return order;
}

/** Locks an order in that status until the transaction ends; false where it is in another one. */
export async function lockIn(
  tx: Db,
  order_id: string,
  status: PurchaseOrderStatus,
): Promise<boolean> {
  const rows = await run(
    tx,
    'select from purchase_orders where order_id = $1 and status = $2 for no key update',
    [order_id, status],
  );
  return rows.length === 1;
}

type Known = Partial<
  Pick<
    PurchaseOrder,
    'payment_tx_hash' | 'record_tx_hash' | 'refund_tx_hash' | 'failure' | 'is_receipt_sent'
  >
>;

/** From one status to the next, with new facts. Undefined where it is in another status. */
export async function moveOrder(
  tx: Db,
  order_id: string,
  { from, to }: { readonly from: PurchaseOrderStatus; readonly to: PurchaseOrderStatus },
  known: Known = {},
): Promise<PurchaseOrder | undefined> {
  const moved = await tx
    .updateTable('purchase_orders')
    .set({ status: to, ...known, updated_at: now })
    .where('order_id', '=', order_id)
    .where('status', '=', from)
    // A confirmation in the last moment is before or after the expiry, never both.
    .$if(from === 'CREATED', (query) => query.where('expires_at', '>', now))
    .returning('order_id')
    .executeTakeFirst();
  return moved && getOrder(tx, order_id);
}

/** Expires orders whose time is over, up to `limit`. */
export const expireOrders = (tx: Db, at: Date, limit: number): Promise<PurchaseOrder[]> =>
  run(
    tx,
    `update purchase_orders o set status = 'EXPIRED', updated_at = $1
     from (select order_id from purchase_orders
           where status = 'CREATED' and expires_at <= $1
           order by expires_at limit $2 for update skip locked) due
     where o.order_id = due.order_id returning o.*`,
    [at.toISOString(), limit],
  );

/** Deletes orders that expired before then: they were never paid. */
export async function forgetExpired(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    db,
    `delete from purchase_orders o
     using (select order_id from purchase_orders
            where status = 'EXPIRED' and expires_at < $1
            order by expires_at limit $2 for update skip locked) old
     where o.order_id = old.order_id returning o.order_id`,
    [before.toISOString(), limit],
  );
  return rows.length;
}

/** The form of an order's id. */
export const ORDER_ID = /^MCP-\d{13}-[0-9A-F]{8}$/;

/** The id of an order's flow. */
export const flowId = (order_id: string): string => `purchase-${order_id}`;

type Step = 'pay' | 'allowance' | 'record' | 'refund' | 'gas';

/** The reference of a step's transaction in the journal. */
export const purchaseReferenceOf = (
  { order_id }: Pick<PurchaseOrder, 'order_id'>,
  step: Step,
  nth = 1,
): string => (nth === 1 ? `purchase:${order_id}:${step}` : `purchase:${order_id}:${step}:${nth}`);
