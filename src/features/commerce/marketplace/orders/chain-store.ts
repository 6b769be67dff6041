import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { MarketplaceOrder } from './order-store.ts';

/** Whether an order on that chain awaits payment, at any contract. */
export async function isAnyUnpaid(db: Db, chain_id: ChainKey): Promise<boolean> {
  const text = `select from marketplace_orders
     where chain_id = $1 and payment_status = 'PENDING' limit 1`;
  return (await run(db, text, [chain_id])).length > 0;
}

/** When the oldest unpaid order of that contract was made; undefined without one. */
export async function oldestUnpaid(
  db: Db,
  chain_id: ChainKey,
  contract: Address,
): Promise<Date | undefined> {
  const [row] = await run<Pick<MarketplaceOrder, 'created_at'>>(
    db,
    `select created_at from marketplace_orders
     where chain_id = $1 and contract_address = $2 and payment_status = 'PENDING'
     order by created_at limit 1`,
    [chain_id, contract],
  );
  return row && new Date(row.created_at);
}

export interface ExpiringOrder {
  readonly chain_id: ChainKey;
  readonly contract: Address;
  /** The time up to which the contract's payments are known. */
  readonly knownUntil: Date;
  readonly now: Date;
}

/**
 * PENDING to CANCELLED, for orders whose time is over and whose payments up to then are known and confirmed; at most
 * `atOnce`.
 */
export const cancelExpired = (
  tx: Db,
  { chain_id, contract, knownUntil, now }: ExpiringOrder,
  atOnce: number,
): Promise<MarketplaceOrder[]> =>
  run(
    tx,
    `update marketplace_orders set payment_status = 'CANCELLED' where serial in (
       select serial from marketplace_orders o
       where payment_status = 'PENDING' and expires_at <= $3 and expires_at < $4
         and chain_id = $1 and contract_address = $2 and not is_paying
         and not exists (select from marketplace_payments p
           where p.chain_id = $1 and p.contract = $2 and p.state = 'SEEN'
             and (p.order_id = o.order_id or p.payer = o.wallet_address))
       order by expires_at, serial limit $5 for update skip locked)
     returning *`,
    [chain_id, contract, now.toISOString(), knownUntil.toISOString(), atOnce],
  );

/** The contracts of expired unpaid orders. */
export const expiringContracts = (
  db: Db,
  now: Date,
): Promise<{ chain_id: ChainKey; contract: Address }[]> =>
  run(
    db,
    `select distinct chain_id, contract_address as contract from (
       select chain_id, contract_address from marketplace_orders
       where payment_status = 'PENDING' and expires_at <= $1
       order by expires_at, serial limit 10000) as due`,
    [now.toISOString()],
  );
