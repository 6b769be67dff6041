import type { Hash } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import { movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';

interface Narrowed {
  readonly transaction_type: 'MINT' | 'REDEEM';
  readonly source: 'OWED' | 'RESERVE' | 'REDEMPTIONS' | 'FEES';
  readonly state: 'TAKING_BACK' | 'DONE' | 'FAILED';
  readonly take_back_hash: Hash | null;
}

/** A refund by an admin to a user's wallet. Amounts in units of IDR. */
export type IdrTokenRefund = Omit<Row<'idr_refunds'>, keyof Narrowed> & Narrowed;

export type NewRefund = Pick<
  IdrTokenRefund,
  | 'operation'
  | 'transaction_type'
  | 'mint_id'
  | 'redeem_id'
  | 'user_id'
  | 'client_id'
  | 'requested_by'
  | 'reason'
  | 'amount_idr'
  | 'refund_fee'
  | 'source'
  | 'state'
>;

/** `REFUND-<epoch_ms>-<id>`, the id being the refund's own. Throws 23505 where there is one already. */
export async function insertRefund(tx: Db, refund: NewRefund, at: Date): Promise<IdrTokenRefund> {
  const [row] = await run<IdrTokenRefund>(
    tx,
    `with made as (select nextval(pg_get_serial_sequence('idr_refunds', 'refund_id')) as id)
     insert into idr_refunds (refund_id, reference_id, operation, transaction_type, mint_id,
       redeem_id, user_id, client_id, requested_by, reason, amount_idr, refund_fee, net_refund,
       source, state, created_at, updated_at)
     overriding system value
     select id, 'REFUND-' || $13::bigint || '-' || id, $1, $2, $3, $4, $5, $6, $7, $8, $9::numeric,
       $10::numeric, $9::numeric - $10::numeric, $11, $12, $14, $14 from made
     returning *`,
    [
      refund.operation,
      refund.transaction_type,
      refund.mint_id,
      refund.redeem_id,
      refund.user_id,
      refund.client_id,
      refund.requested_by,
      refund.reason,
      refund.amount_idr.toString(),
      refund.refund_fee.toString(),
      refund.source,
      refund.state,
      at.getTime(),
      at.toISOString(),
    ],
  );
  if (row === undefined) throw new Error('A refund was not stored');
  return row;
}

export async function findRefund(db: Db, refund_id: number): Promise<IdrTokenRefund | undefined> {
  const text = 'select * from idr_refunds where refund_id = $1';
  return (await run<IdrTokenRefund>(db, text, [refund_id]))[0];
}

export async function refundByOperation(
  db: Db,
  operation: string,
): Promise<IdrTokenRefund | undefined> {
  const text = 'select * from idr_refunds where operation = $1';
  return (await run<IdrTokenRefund>(db, text, [operation]))[0];
}

/** The refund that is done or in flight; undefined when there are none but failed ones. */
export async function refundOf(
  db: Db,
  { mint_id, redeem_id }: { readonly mint_id?: number; readonly redeem_id?: number },
): Promise<IdrTokenRefund | undefined> {
  const [row] = await run<IdrTokenRefund>(
    db,
    `select * from idr_refunds
     where state <> 'FAILED' and (mint_id = $1 or redeem_id = $2)`,
    [mint_id ?? null, redeem_id ?? null],
  );
  return row;
}

/** In the transaction that signs the take-back: whether it is still open, and locks it so. */
export async function lockIfTakingBack(tx: Db, refund_id: number): Promise<boolean> {
  const text = `select from idr_refunds where refund_id = $1 and state = 'TAKING_BACK' for share`;
  return (await run(tx, text, [refund_id])).length === 1;
}

const { move, tryMove } = movesOf<IdrTokenRefund>('idr_refunds');

/** Throws where the refund has ended. */
export const markIdrTokenRefunded = (
  tx: Db,
  refund_id: number,
  { hash, source }: { readonly hash: Hash | undefined; readonly source: IdrTokenRefund['source'] },
  at: Date,
): Promise<IdrTokenRefund> =>
  move(
    tx,
    { refund_id, state: 'TAKING_BACK' },
    { state: 'DONE', take_back_hash: hash ?? null, source, updated_at: at.toISOString() },
  );

export const markRefundFailed = (
  tx: Db,
  refund_id: number,
  failure: string,
  at: Date,
): Promise<unknown> =>
  tryMove(
    tx,
    { refund_id, state: 'TAKING_BACK' },
    { state: 'FAILED', failure: failure.slice(0, 200), updated_at: at.toISOString() },
  );
