import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Bought } from '#providers/exchange/port.ts';
import { ORDER_PREFIX, WITHDRAWAL_PREFIX } from './terms.ts';

export type ConversionOrder = Row<'conversion_orders'>;
export type ConversionWithdrawal = Row<'conversion_withdrawals'>;

interface NewOrder {
  readonly job_id: number;
  readonly amount: bigint;
}

/** One for each job without an open one; returns the new ones. */
export function insertOrders(
  tx: Db,
  orders: readonly NewOrder[],
  at: Date,
): Promise<ConversionOrder[]> {
  const jobs = orders.map(({ job_id }) => job_id);
  const amounts = orders.map(({ amount }) => amount);
  return run<ConversionOrder>(tx, INSERT_ORDERS, [jobs, amounts, at.getTime()]);
}

const INSERT_ORDERS = `
  insert into conversion_orders (job_id, reference, amount)
  select job_id, '${ORDER_PREFIX}-' || job_id || '-' || $3::bigint, amount
  from unnest($1::int[], $2::numeric[]) as o(job_id, amount)
  on conflict (job_id) where state = 'OPEN' do nothing returning *`;

export const findConversionOrder = (
  db: Db,
  reference: string,
): Promise<ConversionOrder | undefined> =>
  db
    .selectFrom('conversion_orders')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();

/** Whether an order is open. */
export async function hasOpenOrders(db: Db): Promise<boolean> {
  const text = "select exists (select from conversion_orders where state = 'OPEN') as is_open";
  const [row] = await run<{ is_open: boolean }>(db, text, []);
  return row?.is_open ?? false;
}

/** Throws where the order had ended before: it is booked once. */
export async function markFilled(
  tx: Db,
  order_id: number,
  { id, spent, bought, feeIdr, feeUsdc }: Bought,
  rate: string,
): Promise<void> {
  await tx
    .updateTable('conversion_orders')
    .set({
      state: 'FILLED',
      exchange_id: id,
      spent,
      bought,
      fee_idr: feeIdr,
      fee_usdc: feeUsdc,
      rate,
      ended_at: now,
    })
    .where('order_id', '=', order_id)
    .where('state', '=', 'OPEN')
    .returning('order_id')
    .executeTakeFirstOrThrow();
}

export async function markOrderRefused(tx: Db, order_id: number): Promise<void> {
  await tx
    .updateTable('conversion_orders')
    .set({ state: 'REFUSED', ended_at: now })
    .where('order_id', '=', order_id)
    .where('state', '=', 'OPEN')
    .returning('order_id')
    .executeTakeFirstOrThrow();
}

interface NewWithdrawal extends NewOrder {
  readonly network: string;
  readonly wallet_address: string;
}

/** One for each job that has none but refused ones; returns the new ones. */
export function insertWithdrawals(
  tx: Db,
  all: readonly NewWithdrawal[],
  at: Date,
): Promise<ConversionWithdrawal[]> {
  const column = <C extends keyof NewWithdrawal>(name: C) => all.map((one) => one[name]);
  const places = [column('network'), column('wallet_address')];
  const values = [column('job_id'), column('amount'), ...places, at.getTime()];
  return run<ConversionWithdrawal>(tx, INSERT_WITHDRAWALS, values);
}

const INSERT_WITHDRAWALS = `
  insert into conversion_withdrawals (job_id, reference, network, wallet_address, amount)
  select job_id, '${WITHDRAWAL_PREFIX}-' || job_id || '-' || $5::bigint, network, address, amount
  from unnest($1::int[], $2::numeric[], $3::text[], $4::text[])
    as w(job_id, amount, network, address)
  on conflict (job_id) where state <> 'REFUSED' do nothing returning *`;

export const findWithdrawal = (
  db: Db,
  reference: string,
): Promise<ConversionWithdrawal | undefined> =>
  db
    .selectFrom('conversion_withdrawals')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();

/** Throws where the withdrawal had ended before. */
export async function markWithdrawn(
  tx: Db,
  withdrawal_id: number,
  done: { exchange_id: string; arrived: bigint; fee: bigint; tx_hash: string | null },
): Promise<void> {
  await tx
    .updateTable('conversion_withdrawals')
    .set({ ...done, state: 'COMPLETED', ended_at: now })
    .where('withdrawal_id', '=', withdrawal_id)
    .where('state', '=', 'OPEN')
    .returning('withdrawal_id')
    .executeTakeFirstOrThrow();
}

export async function markWithdrawalRefused(tx: Db, withdrawal_id: number): Promise<void> {
  await tx
    .updateTable('conversion_withdrawals')
    .set({ state: 'REFUSED', ended_at: now })
    .where('withdrawal_id', '=', withdrawal_id)
    .where('state', '=', 'OPEN')
    .returning('withdrawal_id')
    .executeTakeFirstOrThrow();
}

/** The job's open or completed withdrawal. */
export const withdrawalOf = (db: Db, job_id: number): Promise<ConversionWithdrawal | undefined> =>
  db
    .selectFrom('conversion_withdrawals')
    .selectAll()
    .where('job_id', '=', job_id)
    .where('state', '<>', 'REFUSED')
    .executeTakeFirst();

/** The job's open calls at the exchange. */
export async function openReferences(
  db: Db,
  job_id: number,
): Promise<{ order: string | undefined; withdrawal: string | undefined }> {
  const open = (table: 'conversion_orders' | 'conversion_withdrawals') =>
    db
      .selectFrom(table)
      .select('reference')
      .where('job_id', '=', job_id)
      .where('state', '=', 'OPEN')
      .executeTakeFirst();
  const order = await open('conversion_orders');
  return { order: order?.reference, withdrawal: (await open('conversion_withdrawals'))?.reference };
}
