import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { type CountedList, countOfCountedList } from '#kernel/db/counted-list.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Source, Vendor } from '#providers/catalogue/port.ts';
import type { OrderStatus } from './states.ts';

export interface OrderedProduct {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly image: string | null;
  readonly url: string;
  readonly source: Source;
}
export type OrderedVendor = Omit<Vendor, 'shop_location'>;
export interface Recipient {
  readonly name: string;
  readonly phone: string | null;
  readonly address: string;
  readonly email: string | null;
  readonly notes: string | null;
}

/** A row of marketplace_orders. */
export type MarketplaceOrder = Omit<
  Row<'marketplace_orders'>,
  | 'product'
  | 'vendor'
  | 'recipient'
  | 'payment_status'
  | 'chain_id'
  | 'source'
  | 'original_currency'
  | 'wallet_address'
  | 'contract_address'
  | 'token_address'
> & {
  readonly product: OrderedProduct;
  readonly vendor: OrderedVendor;
  readonly recipient: Recipient;
  readonly payment_status: OrderStatus;
  readonly chain_id: ChainKey;
  readonly source: Source;
  readonly original_currency: 'USD' | 'IDR';
  readonly wallet_address: Address;
  readonly contract_address: Address;
  readonly token_address: Address;
};

export type NewOrder = Omit<
  MarketplaceOrder,
  | 'serial'
  | 'ordinal'
  | 'payment_status'
  | 'blockchain_tx_hash'
  | 'pay_attempt'
  | 'is_paying'
  | 'vendor_reference'
  | 'failure'
  | 'paid_at'
  | 'completed_at'
>;

/** The client or user that the order has to belong to. */
export interface OrderScope {
  readonly client_id?: number | undefined;
  readonly user_id?: number | undefined;
}

/** Undefined where there is none in scope. */
export async function findOrder(
  db: Db,
  order_id: string,
  { client_id, user_id }: OrderScope = {},
): Promise<MarketplaceOrder | undefined> {
  const row = await db
    .selectFrom('marketplace_orders')
    .selectAll()
    .where('order_id', '=', order_id)
    .$if(client_id !== undefined, (q) => q.where('client_id', '=', client_id ?? 0))
    .$if(user_id !== undefined, (q) => q.where('user_id', '=', user_id ?? 0))
    .executeTakeFirst();
  return row as object as MarketplaceOrder | undefined;
}

/** By the link to its page. */
export async function findMarketplaceByLink(
  db: Db,
  order_id: string,
  page_key: string,
): Promise<MarketplaceOrder | undefined> {
  const order = await findOrder(db, order_id);
  return order?.page_key === page_key ? order : undefined;
}

/** The same, locked until the transaction ends. */
export async function lockOrder(tx: Db, order_id: string): Promise<MarketplaceOrder | undefined> {
  const [row] = await run<MarketplaceOrder>(
    tx,
    'select * from marketplace_orders where order_id = $1 for no key update',
    [order_id],
  );
  return row;
}

/** The order that an earlier attempt of the same request has made. */
export async function findByOperation(
  db: Db,
  operation: string,
): Promise<MarketplaceOrder | undefined> {
  const [row] = await run<MarketplaceOrder>(
    db,
    'select * from marketplace_orders where operation = $1',
    [operation],
  );
  return row;
}

/** A user's orders. */
export const ORDERS: CountedList = {
  name: 'marketplace_orders',
  facets: ['payment_status'],
  references: ['order_id'],
};

/** Undefined where the user has `unpaidMax` unpaid orders already: the caller then rolls the transaction back. */
export async function insertOrder(
  tx: Db,
  order: NewOrder,
  unpaidMax: number,
): Promise<MarketplaceOrder | undefined> {
  const row = await tx
    .insertInto('marketplace_orders')
    .values({
      ...order,
      product: JSON.stringify(order.product),
      vendor: JSON.stringify(order.vendor),
      recipient: JSON.stringify(order.recipient),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  // The insert took a number under the user's lock, so the count includes concurrent orders.
  const unpaid = await countOfCountedList(
    tx,
    { list: ORDERS, owner: order.user_id },
    { payment_status: 'PENDING' },
  );
  return unpaid > unpaidMax ? undefined : (row as object as MarketplaceOrder);
}

/** PENDING to PAID, for those that are still PENDING; in one statement. */
export async function markPaid(
  tx: Db,
  paid: readonly { readonly serial: number; readonly hash: Hash }[],
  at: Date,
): Promise<MarketplaceOrder[]> {
  return run(
    tx,
    `update marketplace_orders o
     set payment_status = 'PAID', blockchain_tx_hash = p.hash, paid_at = $3, is_paying = false
     from unnest($1::bigint[], $2::text[]) as p(serial, hash)
     where o.serial = p.serial and o.payment_status = 'PENDING' returning o.*`,
    [paid.map(({ serial }) => serial), paid.map(({ hash }) => hash), at.toISOString()],
  );
}

const { move, tryMove } = movesOf<MarketplaceOrder>('marketplace_orders');

/** PENDING or CANCELLED to PAID, by the operator's assignment; undefined in other states. */
export const markAssigned = (
  tx: Db,
  serial: number,
  hash: Hash,
  at: Date,
): Promise<MarketplaceOrder | undefined> =>
  tryMove(
    tx,
    { serial, payment_status: ['PENDING', 'CANCELLED'], is_paying: false },
    { payment_status: 'PAID', blockchain_tx_hash: hash, paid_at: at.toISOString() },
  );

/** PAID to PENDING again, where the chain has dropped its payment; undefined where it is not PAID. */
export const markUnpaid = (
  tx: Db,
  serial: number,
  expires_at: Date,
): Promise<MarketplaceOrder | undefined> =>
  tryMove(
    tx,
    { serial, payment_status: 'PAID' },
    {
      payment_status: 'PENDING',
      blockchain_tx_hash: null,
      paid_at: null,
      is_paying: false,
      expires_at: expires_at.toISOString(),
    },
  );

/** PAID to COMPLETED. */
export const completeMarketOrder = (
  tx: Db,
  order_id: string,
  vendor_reference: string,
  at: Date,
): Promise<MarketplaceOrder> =>
  move(
    tx,
    { order_id, payment_status: 'PAID' },
    { payment_status: 'COMPLETED', vendor_reference, completed_at: at.toISOString() },
  );

/** PAID to FAILED. */
export const failMarketOrder = (
  tx: Db,
  order_id: string,
  failure: string,
): Promise<MarketplaceOrder> =>
  move(tx, { order_id, payment_status: 'PAID' }, { payment_status: 'FAILED', failure });

/** Whether the user's wallet is about to pay the order, and by which attempt. */
export const setPaying = (
  tx: Db,
  order_id: string,
  { is_paying, pay_attempt }: Pick<MarketplaceOrder, 'is_paying' | 'pay_attempt'>,
): Promise<MarketplaceOrder> => move(tx, { order_id }, { is_paying, pay_attempt });
