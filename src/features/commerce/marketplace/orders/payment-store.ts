import type { Address, Hash } from 'viem';
import type { SeenPayment } from '#chains/evm/following/port.ts';
import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { MarketplaceOrder } from './order-store.ts';
import type { Reason } from './states.ts';

/** A row of marketplace_payments. */
export type MarketplacePayment = Omit<
  Row<'marketplace_payments'>,
  'chain_id' | 'contract' | 'kind' | 'tx_hash' | 'payer' | 'token' | 'state' | 'reason' | 'refund'
> & {
  readonly chain_id: ChainKey;
  readonly contract: Address;
  readonly kind: SeenPayment['kind'];
  readonly tx_hash: Hash;
  readonly payer: Address;
  readonly token: Address;
  readonly state: 'SEEN' | 'COUNTED' | 'GONE';
  readonly reason: Reason | null;
  readonly refund: 'NONE' | 'OWED' | 'SENDING' | 'SENT';
};

/** A payment contract on a chain. */
export interface PaymentContract {
  readonly chain_id: ChainKey;
  readonly contract: Address;
}

const OURS = /^MKT-\d{13,16}-[a-z0-9]{8}$/;

/** Inserts payments that the chain reports. A payment that a reorganisation dropped is SEEN again. */
export async function insertSeen(
  tx: Db,
  { chain_id, contract }: PaymentContract,
  seen: readonly SeenPayment[],
  at: Date,
): Promise<void> {
  const column = <T>(of: (one: SeenPayment) => T) => seen.map(of);
  await run(
    tx,
    `insert into marketplace_payments as p (chain_id, contract, seen_at, kind, tx_hash, place,
       log_index, block_number, block_hash, payer, token, units, order_id)
     select $1, $2, $3::timestamptz, * from unnest($4::text[], $5::text[], $6::integer[],
       $7::integer[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::numeric[], $13::text[])
     on conflict on constraint marketplace_payments_once do update
       set block_number = excluded.block_number, block_hash = excluded.block_hash,
           log_index = excluded.log_index, adrift_until = null,
           state = case p.state when 'GONE' then 'SEEN' else p.state end,
           counted_at = case p.state when 'GONE' then null else p.counted_at end`,
    [
      ...[chain_id, contract, at.toISOString()],
      column(({ kind }) => kind),
      column(({ hash }) => hash),
      column(({ place }) => place),
      column(({ index }) => index),
      column(({ block }) => block.toString()),
      column(({ blockHash }) => blockHash),
      column(({ payer }) => payer),
      column(({ token }) => token),
      column(({ units }) => units.toString()),
      column(({ orderText = '' }) => (OURS.test(orderText) ? orderText : null)),
    ],
  );
}

/**
 * The blocks above `above` are dropped. Payments that had not counted are deleted; counted ones are orphaned until a
 * later block.
 */
export async function setOrphaned(
  tx: Db,
  { chain_id, contract }: PaymentContract,
  above: bigint,
  until: bigint,
): Promise<void> {
  await run(
    tx,
    `with forgotten as (
       delete from marketplace_payments
       where chain_id = $1 and contract = $2 and block_number > $3 and state = 'SEEN' and round = 0)
     update marketplace_payments
     set adrift_until = case state when 'COUNTED' then $4::bigint end,
         state = case state when 'SEEN' then 'GONE' else state end
     where chain_id = $1 and contract = $2 and block_number > $3 and adrift_until is null
       and (state = 'COUNTED' or state = 'SEEN' and round > 0)`,
    [chain_id, contract, above.toString(), until.toString()],
  );
}

/** The block of the first known payment; undefined without one. */
export async function firstBlockOf(
  db: Db,
  { chain_id, contract }: PaymentContract,
): Promise<bigint | undefined> {
  const [row] = await run<Pick<MarketplacePayment, 'block_number'>>(
    db,
    `select block_number from marketplace_payments where chain_id = $1 and contract = $2
     order by block_number limit 1`,
    [chain_id, contract],
  );
  return row && BigInt(row.block_number);
}

/** Payments with enough confirmations to count, in the order of the chain, locked. */
export const lockCountable = (
  tx: Db,
  { chain_id, contract }: PaymentContract,
  upTo: bigint,
  atOnce: number,
): Promise<MarketplacePayment[]> =>
  run(
    tx,
    `select * from marketplace_payments
     where chain_id = $1 and contract = $2 and state = 'SEEN' and block_number <= $3
     order by block_number, log_index limit $4 for update`,
    [chain_id, contract, upTo.toString(), atOnce],
  );

/** Payments whose block has not come back in time, locked; without those whose refund is in flight. */
export const lockOrphaned = (
  tx: Db,
  { chain_id, contract }: PaymentContract,
  block: bigint,
): Promise<MarketplacePayment[]> =>
  run(
    tx,
    `select * from marketplace_payments
     where chain_id = $1 and contract = $2 and adrift_until < $3 and refund <> 'SENDING'
     order by payment_id for update`,
    [chain_id, contract, block.toString()],
  );

/** The orders that those payments may be for, the oldest first, locked. */
export const lockOrdersOf = (
  tx: Db,
  payments: readonly MarketplacePayment[],
): Promise<MarketplaceOrder[]> =>
  run(
    tx,
    `select * from marketplace_orders where serial in (
       select serial from marketplace_orders where order_id = any($1::text[])
       union select o.serial from (
           select distinct * from unnest($2::text[], $3::text[], $4::numeric[])
         ) as p(chain_id, payer, units)
         join marketplace_orders o on o.chain_id = p.chain_id and o.wallet_address = p.payer
           and o.units = p.units and o.payment_status = 'PENDING')
     order by serial for no key update`,
    [
      payments.flatMap(({ order_id }) => order_id ?? []),
      ...[payments.map(({ chain_id }) => chain_id), payments.map(({ payer }) => payer)],
      payments.map(({ units }) => units.toString()),
    ],
  );

/** A payment's parts: for an order, and owed to its payer. */
export interface PaymentMatch {
  readonly payment: MarketplacePayment;
  /** The order that it pays. */
  readonly order?: MarketplaceOrder;
  readonly applied: bigint;
  readonly owed: bigint;
  readonly reason?: Reason;
}

/**
 * The part of a dropped payment that was spent on goods or refunded. It stays with the payment, so that it is not used
 * twice when the chain brings the payment back.
 */
export const usedUnits = ({
  applied_units,
  sent_units,
}: Pick<MarketplacePayment, 'applied_units' | 'sent_units'>): bigint => applied_units + sent_units;

/** SEEN to COUNTED. Where more is owed than was refunded before, the next refund has a reference of its own. */
export async function recordCounted(
  tx: Db,
  matches: readonly PaymentMatch[],
  at: Date,
): Promise<MarketplacePayment[]> {
  return run(
    tx,
    `update marketplace_payments p
     set state = 'COUNTED', counted_at = $6, round = round + 1, order_serial = v.order_serial,
         applied_units = v.applied, owed_units = v.owed, reason = v.reason,
         refund = case when v.owed > p.sent_units then 'OWED' when v.owed > 0 then 'SENT' else 'NONE' end,
         refund_attempt = p.refund_attempt + case when v.owed > p.sent_units and p.sent_units > 0 then 1 else 0 end,
         loss_note = null, loss_closed_by = null
     from unnest($1::integer[], $2::bigint[], $3::numeric[], $4::numeric[], $5::text[])
       as v(payment_id, order_serial, applied, owed, reason)
     where p.payment_id = v.payment_id and p.state = 'SEEN' returning p.*`,
    [
      matches.map(({ payment }) => payment.payment_id),
      matches.map(({ order, payment }) => order?.serial ?? payment.order_serial),
      matches.map(({ applied }) => applied.toString()),
      matches.map(({ owed }) => owed.toString()),
      matches.map(({ reason }) => reason ?? null),
      at.toISOString(),
    ],
  );
}

/** COUNTED to GONE: only the part that was spent or refunded stays. */
export async function recordGone(
  tx: Db,
  payment_id: number,
  { isBought }: { readonly isBought: boolean },
): Promise<MarketplacePayment | undefined> {
  const [row] = await run<MarketplacePayment>(
    tx,
    `update marketplace_payments set state = 'GONE', adrift_until = null,
       order_serial = case when $2 then order_serial end,
       assigned_order_id = case when $2 then assigned_order_id end,
       assigned_by = case when $2 then assigned_by end,
       applied_units = case when $2 then applied_units else 0 end, owed_units = sent_units,
       reason = case when sent_units > 0 then reason end,
       refund = case when sent_units > 0 then 'SENT' else 'NONE' end
     where payment_id = $1 and state = 'COUNTED' returning *`,
    [payment_id, isBought],
  );
  return row;
}

export async function lockPayment(
  tx: Db,
  payment_id: number,
): Promise<MarketplacePayment | undefined> {
  const [row] = await run<MarketplacePayment>(
    tx,
    'select * from marketplace_payments where payment_id = $1 for update',
    [payment_id],
  );
  return row;
}

/** The payment that has paid an order, locked. */
export async function lockPaymentOf(
  tx: Db,
  serial: number,
): Promise<MarketplacePayment | undefined> {
  const [row] = await run<MarketplacePayment>(
    tx,
    `select * from marketplace_payments
     where order_serial = $1 and state = 'COUNTED' and applied_units > 0 for update`,
    [serial],
  );
  return row;
}

/** Owes the order's part of a payment to its payer, too. */
export async function owePayer(tx: Db, payment_id: number): Promise<MarketplacePayment> {
  const [row] = await run<MarketplacePayment>(
    tx,
    `update marketplace_payments set owed_units = owed_units + applied_units, applied_units = 0,
       reason = 'NOT_DELIVERED', refund = 'OWED', refund_attempt = refund_attempt + 1
     where payment_id = $1 returning *`,
    [payment_id],
  );
  if (row === undefined) throw new Error(`There is no payment ${payment_id}`);
  return row;
}
