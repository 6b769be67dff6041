import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { PaymentReceipt } from '#providers/gateway/port.ts';
import type { Mint } from '../purchase/store.ts';

export const REASONS = ['LATE', 'UNDERPAID', 'OVERPAID', 'PAID_ALREADY'] as const;
export type IdrTokenReason = (typeof REASONS)[number];

interface Narrowed {
  readonly reason: IdrTokenReason;
  readonly refund: 'NONE' | 'OWED' | 'SENT';
}

/** Money that came in for a purchase and does not pay it. Amounts in units of IDR. */
export type UnmatchedPayment = Omit<Row<'idr_unmatched_payments'>, keyof Narrowed> &
  Narrowed & { readonly reference_id: string };

const one = async (
  db: Db,
  text: string,
  values: readonly unknown[],
): Promise<UnmatchedPayment | undefined> => (await run<UnmatchedPayment>(db, text, values))[0];

/** Rows of `UnmatchedPayment`: with the reference of the payment's purchase. */
const WITH_REFERENCE = (from: string) =>
  `select u.*, m.reference_id from ${from} u join idr_mints m on m.mint_id = u.mint_id`;
const changed = (text: string) =>
  `with changed as (${text} returning *) ${WITH_REFERENCE('changed')}`;

/** Owed from then on; undefined where it was stored before. */
export const insertUnmatched = (
  tx: Db,
  { mint_id, user_id, client_id }: Pick<Mint, 'mint_id' | 'user_id' | 'client_id'>,
  { id, line, units, at }: PaymentReceipt,
  reason: IdrTokenReason,
): Promise<UnmatchedPayment | undefined> =>
  one(
    tx,
    changed(`insert into idr_unmatched_payments
      (mint_id, user_id, client_id, receipt, line, units, owed_units, reason, came_at, booked_at)
      values ($1, $2, $3, $4, $5, $6, $6, $7, $8, date_trunc('milliseconds', service_now()))
      on conflict on constraint idr_unmatched_payments_once do nothing`),
    [mint_id, user_id, client_id, id, line, units.toString(), reason, at.toISOString()],
  );

/** Those that are booked for a purchase already, by the gateway's ids. */
export async function unmatchedReceipts(
  db: Db,
  mint_id: number,
  receipts: readonly PaymentReceipt[],
): Promise<ReadonlySet<string>> {
  const rows = await run<Pick<UnmatchedPayment, 'receipt'>>(
    db,
    `select u.receipt from unnest($2::text[]) r (receipt)
     join idr_unmatched_payments u on u.mint_id = $1 and u.receipt = r.receipt`,
    [mint_id, receipts.map(({ id }) => id)],
  );
  return new Set(rows.map(({ receipt }) => receipt));
}

/** Locked until the transaction ends. */
export const lockUnmatched = (tx: Db, payment_id: number): Promise<UnmatchedPayment | undefined> =>
  one(tx, `${WITH_REFERENCE('idr_unmatched_payments')} where u.payment_id = $1 for update of u`, [
    payment_id,
  ]);

export const findUnmatched = (db: Db, payment_id: number): Promise<UnmatchedPayment | undefined> =>
  one(db, `${WITH_REFERENCE('idr_unmatched_payments')} where u.payment_id = $1`, [payment_id]);

/** Owed ones, the newest first. */
export const listUnmatched = (
  db: Db,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<UnmatchedPayment[]> =>
  run<UnmatchedPayment>(
    db,
    `${WITH_REFERENCE('idr_unmatched_payments')} where u.refund = 'OWED' and u.payment_id < $1
     order by u.payment_id desc limit $2`,
    [before ?? ID_MAX, limit],
  );

/** The number of owed ones by reason, up to some thousands. */
export const countUnmatched = (db: Db): Promise<{ reason: IdrTokenReason; open: number }[]> =>
  run(
    db,
    `select reason, count(*)::integer as open from (
       select reason from idr_unmatched_payments where refund = 'OWED' limit 10000) owed
     group by reason order by reason`,
    [],
  );

/** So much of the owed amount pays a purchase; the rest stays owed. */
export const recordPaymentAssigned = (
  tx: Db,
  payment_id: number,
  to: { readonly mint_id: number; readonly units: bigint; readonly by: number },
): Promise<UnmatchedPayment | undefined> =>
  one(
    tx,
    changed(`update idr_unmatched_payments p
      set assigned_mint_id = $2, assigned_by = $4, applied_units = $3::numeric,
        owed_units = p.units - $3::numeric,
        refund = case when p.units > $3::numeric then 'OWED' else 'NONE' end
      where payment_id = $1 and refund = 'OWED' and applied_units = 0`),
    [payment_id, to.mint_id, to.units.toString(), to.by],
  );

/** OWED to SENT, with a note where others than the platform have refunded it. */
export const recordSentBack = (
  tx: Db,
  payment_id: number,
  { by, note }: { readonly by: number; readonly note?: string },
): Promise<UnmatchedPayment | undefined> =>
  one(
    tx,
    changed(`update idr_unmatched_payments
      set refund = 'SENT', sent_units = owed_units, refunded_by = $2, settled_note = $3
      where payment_id = $1 and refund = 'OWED'`),
    [payment_id, by, note ?? null],
  );
