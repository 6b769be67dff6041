import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Asset } from '#kernel/money/money.ts';

export const KINDS = ['reversal', 'adjustment'] as const;
export const DIRECTIONS = ['credit', 'debit'] as const;
export const ADJUSTMENT_STATUSES = [
  'PROPOSED',
  'BOOKED',
  'REJECTED',
  'WITHDRAWN',
  'EXPIRED',
  'VOIDED',
] as const;
export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number];
type Direction = (typeof DIRECTIONS)[number];

/** The units that an account gets, for people. */
export interface ShownEntry {
  /** The account's owner and purpose: `user:3 wallet`. */
  readonly account: string;
  readonly amount: string;
}

export type Adjustment = Omit<
  Row<'adjustments'>,
  'kind' | 'status' | 'direction' | 'asset' | 'entries'
> & {
  readonly kind: (typeof KINDS)[number];
  readonly status: AdjustmentStatus;
  readonly direction: Direction | null;
  readonly asset: Asset;
  readonly entries: readonly ShownEntry[];
};

export interface NewAdjustment
  extends Pick<
    Adjustment,
    | 'adjustment_id'
    | 'reason'
    | 'units'
    | 'asset'
    | 'entries'
    | 'user_id'
    | 'proposed_by'
    | 'second_since'
    | 'second_factor'
    | 'worth'
  > {
  readonly wanted:
    | { readonly kind: 'reversal'; readonly of_transfer: number; readonly of_reference: string }
    | { readonly kind: 'adjustment'; readonly wallet_id: number; readonly direction: Direction };
}

/** As an open proposal, for seven days. The clock of this process may be ahead of the database's for a moment. */
export async function insertAdjustment(
  tx: Db,
  { entries, units, worth, wanted, ...rest }: NewAdjustment,
): Promise<Adjustment> {
  const columns = { ...rest, ...wanted, units: units.toString(), worth: worth.toString(), entries };
  const [row] = await run<Adjustment>(
    tx,
    `insert into adjustments (adjustment_id, kind, reason, of_transfer, of_reference, wallet_id, direction,
       units, asset, entries, user_id, proposed_by, second_since, second_factor, worth)
     select adjustment_id, kind, reason, of_transfer, of_reference, wallet_id, direction,
       units, asset, entries, user_id, proposed_by, least(second_since, service_now()), second_factor, worth
     from json_populate_record(null::adjustments, $1::json) returning *`,
    [JSON.stringify(columns)],
  );
  if (!row) throw new Error('A proposal was not written');
  return row;
}

export async function findAdjustment(
  db: Db,
  adjustment_id: string,
): Promise<Adjustment | undefined> {
  const text = 'select * from adjustments where adjustment_id = $1';
  return (await run<Adjustment>(db, text, [adjustment_id]))[0];
}

/** The same, locked until the transaction ends, so that one of several decisions counts. */
export async function lockAdjustment(
  tx: Db,
  adjustment_id: string,
): Promise<Adjustment | undefined> {
  const text = 'select * from adjustments where adjustment_id = $1 for no key update';
  return (await run<Adjustment>(tx, text, [adjustment_id]))[0];
}

/** Whether that transfer was reversed. */
export async function isReversed(db: Db, of_transfer: number): Promise<boolean> {
  const text = `select from adjustments where of_transfer = $1 and status = 'BOOKED'`;
  return (await run(db, text, [of_transfer])).length > 0;
}

export interface AdjustmentPage {
  readonly status: AdjustmentStatus | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

/** Newest first. A proposal that has lapsed since the last run of the schedule is EXPIRED. */
export function listAdjustments(
  db: Db,
  { status, before = Number.MAX_SAFE_INTEGER, limit }: AdjustmentPage,
): Promise<Adjustment[]> {
  const page = (where: string) =>
    `(select * from adjustments where ${where} and serial < $1 order by serial desc limit $2)`;
  const lapsed = `status = 'PROPOSED' and expires_at <= service_now()`;
  if (status === undefined) return run(db, page('true'), [before, limit]);
  if (status === 'PROPOSED')
    return run(db, page(`status = $3 and not (${lapsed})`), [before, limit, status]);
  if (status !== 'EXPIRED') return run(db, page('status = $3'), [before, limit, status]);
  return run(
    db,
    `select * from (${page('status = $3')} union all ${page(lapsed)}) a order by serial desc limit $2`,
    [before, limit, status],
  );
}

export interface AdjustmentDecision {
  readonly status: 'BOOKED' | 'REJECTED' | 'WITHDRAWN';
  readonly by: number;
  readonly note?: string | undefined;
}

/** Moves an open proposal that is locked. Throws PostgreSQL's error where the table refuses it. */
export async function recordDecision(
  tx: Db,
  adjustment_id: string,
  { status, by, note = undefined }: AdjustmentDecision,
): Promise<Adjustment> {
  const [row] = await run<Adjustment>(
    tx,
    `update adjustments set status = $2, decided_by = $3, decision_note = $4, decided_at = service_now()
     where adjustment_id = $1 and status = 'PROPOSED' returning *`,
    [adjustment_id, status, by, note ?? null],
  );
  if (!row) throw new Error(`${adjustment_id} was locked and decided`);
  return row;
}

/** Lapsed proposals, up to the limit. */
export const expireSome = (tx: Db, limit: number): Promise<Adjustment[]> =>
  run(
    tx,
    `update adjustments set status = 'EXPIRED', decided_at = service_now()
     where serial = any (array(select serial from adjustments
       where status = 'PROPOSED' and expires_at <= service_now()
       order by expires_at limit $1 for no key update skip locked)) returning *`,
    [limit],
  );

/** How many proposals wait for a second person. */
export async function countWaiting(db: Db): Promise<number> {
  const text = `select count(*)::integer as count from adjustments where status = 'PROPOSED'`;
  const [row] = await run<{ count: number }>(db, text, []);
  return row?.count ?? 0;
}

/** Voids all open proposals of a user, in the transaction that suspends them; `by` is the admin who does it. */
export const voidProposals = (tx: Db, proposed_by: number, by: number): Promise<Adjustment[]> =>
  run(
    tx,
    `update adjustments set status = 'VOIDED', decided_by = $2, decided_at = service_now()
      where proposed_by = $1 and status = 'PROPOSED' returning *`,
    [proposed_by, by],
  );

/**
 * Adds to the sum of this day's corrections (UTC), in US cents. False, without adding, where the sum would exceed
 * `most`. Another booking waits until this transaction has ended.
 */
export async function addToDay(tx: Db, worth: bigint, most: bigint): Promise<boolean> {
  const added = await run(
    tx,
    `insert into adjustment_days as d (day, worth)
     select (service_now() at time zone 'UTC')::date, $1::numeric where $1::numeric <= $2::numeric
     on conflict (day) do update set worth = d.worth + excluded.worth
       where d.worth + excluded.worth <= $2::numeric
     returning day`,
    [worth.toString(), most.toString()],
  );
  return added.length > 0;
}

/** Whether that admin may be the second person of it now, by the rule that its table enforces. */
export async function mayBeSecond(db: Db, adjustment_id: string, by: number): Promise<boolean> {
  const rows = await run(
    db,
    `select from adjustments where adjustment_id = $1
       and is_second_person(proposed_by, $2, second_since, second_factor)`,
    [adjustment_id, by],
  );
  return rows.length > 0;
}
