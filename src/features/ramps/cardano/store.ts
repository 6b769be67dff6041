import type { Insertable } from 'kysely';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CardanoOrders } from '#kernel/db/schema.generated.ts';

export type CardanoSource = 'CARD' | 'WALLET';
export type CardanoTarget = 'WALLET' | 'BANK' | 'ADDRESS';

export type CardanoOrder = Omit<
  Row<'cardano_orders'>,
  'source' | 'target' | 'currency_from' | 'currency_to' | 'status'
> & {
  readonly source: CardanoSource;
  readonly target: CardanoTarget;
  readonly currency_from: Fiat;
  readonly currency_to: Fiat | null;
  readonly status: 'OPEN' | 'PAYING' | 'DONE' | 'FAILED';
};

export type NewCardanoOrder = Insertable<CardanoOrders> &
  Pick<CardanoOrder, 'order_id' | 'source' | 'target' | 'simulated'>;

/** The price for the wallet or card, in units of currency_from: the amount, and the network's fee on top. */
export const chargedFor = ({
  fiat_amount,
  network_fee,
}: Pick<CardanoOrder, 'fiat_amount' | 'network_fee'>): bigint => fiat_amount + network_fee;

/** Undefined when the operation has an order already. */
export const insertCardanoOrder = (
  tx: Db,
  order: NewCardanoOrder,
): Promise<CardanoOrder | undefined> =>
  tx
    .insertInto('cardano_orders')
    .values(order)
    .onConflict((conflict) => conflict.constraint('cardano_orders_operation').doNothing())
    .returningAll()
    .executeTakeFirst() as Promise<CardanoOrder | undefined>;

export async function cardanoFindByOperation(
  db: Db,
  operation: string,
): Promise<CardanoOrder | undefined> {
  const text = 'select * from cardano_orders where operation = $1';
  const [order] = await run<CardanoOrder>(db, text, [operation]);
  return order;
}

/** The id of an order's flow. */
export const cardanoFlowId = (order_id: string): string => `cardano-${order_id}`;

async function findCardanoOrder(db: Db, order_id: string): Promise<CardanoOrder | undefined> {
  const text = 'select * from cardano_orders where order_id = $1';
  const [order] = await run<CardanoOrder>(db, text, [order_id]);
  return order;
}

export async function getCardanoOrder(db: Db, order_id: string): Promise<CardanoOrder> {
  const order = await findCardanoOrder(db, order_id);
  if (!order) throw new Error(`There is no order ${order_id}`);
  return order;
}

/** Whether the order is open; if so, it does not end before the transaction does. */
export async function lockIfOpen(tx: Db, order_id: string): Promise<boolean> {
  const rows = await run(
    tx,
    `select order_id from cardano_orders where order_id = $1 and status = 'OPEN' for share`,
    [order_id],
  );
  return rows.length === 1;
}

/** Changes an order that has not ended. Throws where it has. */
export async function updateOrder(
  tx: Db,
  order_id: string,
  known: Partial<
    Pick<CardanoOrder, 'status' | 'card_reference' | 'mint_hash' | 'burn_hash' | 'paid_out_at'>
  > & { readonly cost?: bigint },
): Promise<CardanoOrder> {
  const { cost = 0n, ...values } = known;
  const row = await openOrder(tx, order_id)
    .set((eb) => ({ ...values, network_cost: eb('network_cost', '+', cost), updated_at: now }))
    .returningAll()
    .executeTakeFirst();
  return notEnded(order_id, row);
}

/** Locks out orders that have ended. */
const openOrder = (tx: Db, order_id: string) =>
  tx
    .updateTable('cardano_orders')
    .where('order_id', '=', order_id)
    .where('status', 'in', ['OPEN', 'PAYING']);

function notEnded(order_id: string, row: Row<'cardano_orders'> | undefined): CardanoOrder {
  if (!row) throw new Error(`The order ${order_id} has ended`);
  return row as CardanoOrder;
}

/**
 * The order failed; the wallet has its money again, where it had paid. `forget` lets the same request start a new
 * order.
 */
export async function failOrder(
  tx: Db,
  order_id: string,
  end: { readonly failure: string; readonly given_back?: 'WALLET'; readonly forget: boolean },
): Promise<CardanoOrder> {
  const { failure, given_back, forget } = end;
  const row = await openOrder(tx, order_id)
    .set({
      status: 'FAILED',
      failure,
      ...(given_back && { given_back }),
      ...(forget && { operation: null }),
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirst();
  return notEnded(order_id, row);
}

/** The order of a transaction, with the hash that replaces it, where there is one. */
export async function replaceHash(
  tx: Db,
  was: string,
  now: string | undefined,
): Promise<CardanoOrder | undefined> {
  const [order] = await run<CardanoOrder>(
    tx,
    `select * from cardano_orders where mint_hash = $1
     union all
     select * from cardano_orders where burn_hash = $1 limit 1`,
    [was],
  );
  if (order === undefined || now === undefined) return order;
  const { order_id } = order;
  await run(
    tx,
    `update cardano_orders set mint_hash = case mint_hash when $2 then $3 else mint_hash end,
       burn_hash = case burn_hash when $2 then $3 else burn_hash end, updated_at = service_now()
     where order_id = $1`,
    [order_id, was, now],
  );
  await run(tx, 'update cardano_steps set tx_hash = $3 where order_id = $1 and tx_hash = $2', [
    order_id,
    was,
    now,
  ]);
  return order;
}

/** DONE to FAILED: the bank has returned the money. Undefined where the order was returned before. */
export async function markReturned(tx: Db, order_id: string): Promise<CardanoOrder | undefined> {
  const row = await tx
    .updateTable('cardano_orders')
    .set({ status: 'FAILED', failure: 'RETURNED', given_back: 'WALLET', updated_at: now })
    .where('order_id', '=', order_id)
    .where('status', '=', 'DONE')
    .returningAll()
    .executeTakeFirst();
  return row as CardanoOrder | undefined;
}

/** The refund went on from the wallet to the card that had paid. */
export const markCardRepaid = (db: Db, order_id: string): Promise<unknown> =>
  run(
    db,
    `update cardano_orders set given_back = 'CARD', updated_at = service_now()
     where order_id = $1 and status = 'FAILED' and given_back = 'WALLET'`,
    [order_id],
  );

/** The client of each transaction on the chain, by its hash. */
export async function clientsByHash(
  db: Db,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ hash: string; client_id: number }>(
    db,
    `select mint_hash as hash, client_id from cardano_orders where mint_hash = any($1)
     union all
     select burn_hash, client_id from cardano_orders where burn_hash = any($1)`,
    [hashes],
  );
  return new Map(rows.map(({ hash, client_id }) => [hash, client_id]));
}
