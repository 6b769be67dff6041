import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';

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

type Mode = Pick<Kernel['config'], 'MOCK_MODE'>;

export interface FeesInForce {
  /** The client's own record, else the operator's; nothing when neither has one. */
  readonly record: FeeRecord | undefined;
  /** What is charged by it. */
  readonly terms: FeeTerms;
}

/**
 * A client's fees as they are charged: out of mock mode never below the operator's own, whenever and
 * however its record came about.
 */
export async function feesInForce(db: Db, mode: Mode, client_id: number): Promise<FeesInForce> {
  const records: readonly FeeRecord[] = await db
    .selectFrom('fee_settings')
    .selectAll()
    .where('is_active', '=', true)
    .where('client_id', 'in', [client_id, OPERATOR_CLIENT_ID])
    .execute();
  const of = (owner: number) => records.find((record) => record.client_id === owner);
  const floor = of(OPERATOR_CLIENT_ID);
  const record = of(client_id) ?? floor;
  const { fee_ppm, minimum_micro_usd, gas_points } = record ?? DEFAULT_TERMS;
  const wanted = { fee_ppm, minimum_micro_usd, gas_points };
  return { record, terms: mode.MOCK_MODE ? wanted : greatest(wanted, floor ?? DEFAULT_TERMS) };
}

/** What a send of that client's users costs now. */
export const feeTermsFor = async (db: Db, mode: Mode, client_id: number): Promise<FeeTerms> =>
  (await feesInForce(db, mode, client_id)).terms;

/** More is better for the platform in all three: a send at too low a gas price is its to nurse. */
const greatest = (a: FeeTerms, b: FeeTerms): FeeTerms => ({
  fee_ppm: Math.max(a.fee_ppm, b.fee_ppm),
  minimum_micro_usd: Math.max(a.minimum_micro_usd, b.minimum_micro_usd),
  gas_points: Math.max(a.gas_points, b.gas_points),
});
