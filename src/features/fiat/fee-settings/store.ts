import { sql } from 'kysely';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/**
 * The price of a send, as whole numbers: `fee_ppm` parts per million of the amount (0.5 % is 5000), at least
 * `minimum_micro_usd` millionths of a US dollar, and `gas_points` basis points of the node's gas price (1.2 times is
 * 12000).
 */
export type FeeTerms = Row<'fee_settings', 'fee_ppm' | 'minimum_micro_usd' | 'gas_points'>;

export type FeeRecord = Row<'fee_settings'>;

/** A literal of the statement: a parameter would miss the index of those in force. */
const IN_FORCE = sql.lit(true);

/** Contract: Platform fee settings. */
export const DEFAULT_TERMS: FeeTerms = {
  fee_ppm: 5_000,
  minimum_micro_usd: 100_000,
  gas_points: 12_000,
};

/** The terms in force of these clients. */
export const activeRecords = (db: Db, client_ids: readonly number[]): Promise<FeeRecord[]> =>
  db
    .selectFrom('fee_settings')
    .selectAll()
    .where('is_active', '=', IN_FORCE)
    .where('client_id', 'in', client_ids)
    .execute();

export interface NewTerms {
  readonly client_id: number;
  readonly updated_by_admin_id: number;
  readonly terms: FeeTerms;
  /** Whether none of them may be below the operator's own. */
  readonly floored: boolean;
}

export type Replacement =
  | { readonly record: FeeRecord; readonly replaced: boolean }
  /** Some are below it; the caller has to undo the transaction. */
  | { readonly floor: FeeTerms };

/** Replaces the client's terms by new ones. Answers whether there were any. */
export async function replaceTerms(tx: Db, wanted: NewTerms): Promise<Replacement> {
  const { client_id } = wanted;
  // Two admins who update at once take turns: without an old record there is no row to wait for.
  await tx
    .selectFrom('clients')
    .select('client_id')
    .where('client_id', '=', client_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const old = await tx
    .updateTable('fee_settings')
    .set({ is_active: false, updated_at: now })
    .where('client_id', '=', client_id)
    .where('is_active', '=', IN_FORCE)
    .returning('id')
    .execute();
  const record = await insertAboveFloor(tx, wanted);
  if (!record) return { floor: await readFloor(tx) };
  return { record, replaced: old.length > 0 };
}

const FLOOR = `
  select coalesce(max(fee_ppm), ${DEFAULT_TERMS.fee_ppm}) as fee_ppm,
         coalesce(max(minimum_micro_usd), ${DEFAULT_TERMS.minimum_micro_usd}) as minimum_micro_usd,
         coalesce(max(gas_points), ${DEFAULT_TERMS.gas_points}) as gas_points
    from fee_settings where client_id = ${OPERATOR_CLIENT_ID} and is_active`;

/** Nothing when one of them is below the floor of this moment. */
async function insertAboveFloor(tx: Db, wanted: NewTerms): Promise<FeeRecord | undefined> {
  const { client_id, updated_by_admin_id, terms, floored } = wanted;
  const { fee_ppm, minimum_micro_usd, gas_points } = terms;
  const [record] = await run<FeeRecord>(
    tx,
    `insert into fee_settings
       (client_id, updated_by_admin_id, fee_ppm, minimum_micro_usd, gas_points)
     select $1, $2, $3, $4, $5 from (${FLOOR}) as floor
      where not $6::boolean
         or ($3 >= floor.fee_ppm and $4 >= floor.minimum_micro_usd and $5 >= floor.gas_points)
     returning *`,
    [client_id, updated_by_admin_id, fee_ppm, minimum_micro_usd, gas_points, floored],
  );
  return record;
}

async function readFloor(tx: Db): Promise<FeeTerms> {
  const [floor] = await run<FeeTerms>(tx, FLOOR, []);
  if (!floor) throw new Error('An aggregate answered no row');
  return floor;
}
