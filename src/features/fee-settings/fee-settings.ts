import { OPERATOR_CLIENT_ID } from '#kernel/access/doors.ts';
import type { Db } from '#kernel/db/db.ts';

/** What a send costs, as whole numbers. */
export interface FeeTerms {
  /** Parts per million of the amount: 0.5 % is 5000. */
  readonly fee_ppm: number;
  /** Millionths of a US dollar. */
  readonly minimum_micro_usd: number;
  /** Basis points of the node's gas price: 1.2 times is 12000. */
  readonly gas_points: number;
}

export interface FeeRecord extends FeeTerms {
  readonly id: number;
  readonly client_id: number;
  readonly is_active: boolean;
  readonly updated_by_admin_id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Contract: Platform fee settings. */
export const DEFAULT_TERMS: FeeTerms = {
  fee_ppm: 5_000,
  minimum_micro_usd: 100_000,
  gas_points: 12_000,
};

/** The client's own record in force, else the operator's; nothing when neither has one. */
export const feeRecordFor = (db: Db, client_id: number): Promise<FeeRecord | undefined> =>
  db
    .selectFrom('fee_settings')
    .selectAll()
    .where('is_active', '=', true)
    .where('client_id', 'in', [client_id, OPERATOR_CLIENT_ID])
    .orderBy((q) => q.eb('client_id', '=', client_id), 'desc')
    .limit(1)
    .executeTakeFirst();

/** What a send of that client's users costs now. */
export const feeTermsFor = async (db: Db, client_id: number): Promise<FeeTerms> =>
  (await feeRecordFor(db, client_id)) ?? DEFAULT_TERMS;
