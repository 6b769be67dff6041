import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { activeRecords, DEFAULT_TERMS, type FeeRecord, type FeeTerms } from './store.ts';

type Mode = Pick<Kernel['config'], 'MOCK_MODE'>;

export interface FeesInForce {
  /** The client's own record, else the operator's; nothing when neither has one. */
  readonly record: FeeRecord | undefined;
  /** The fees by it. */
  readonly terms: FeeTerms;
}

/** A client's effective fees: out of mock mode never below the operator's own, whatever its record says. */
export async function feesInForce(db: Db, mode: Mode, client_id: number): Promise<FeesInForce> {
  const records = await activeRecords(db, [client_id, OPERATOR_CLIENT_ID]);
  const of = (owner: number) => records.find((record) => record.client_id === owner);
  const floor = of(OPERATOR_CLIENT_ID);
  const record = of(client_id) ?? floor;
  const { fee_ppm, minimum_micro_usd, gas_points } = record ?? DEFAULT_TERMS;
  const wanted = { fee_ppm, minimum_micro_usd, gas_points };
  return { record, terms: mode.MOCK_MODE ? wanted : greatest(wanted, floor ?? DEFAULT_TERMS) };
}

/** The present price of a send of that client's users. */
export const feeTermsFor = async (db: Db, mode: Mode, client_id: number): Promise<FeeTerms> =>
  (await feesInForce(db, mode, client_id)).terms;

/** More is better for the platform in all three: it has to replace a send whose gas price is too low. */
const greatest = (a: FeeTerms, b: FeeTerms): FeeTerms => ({
  fee_ppm: Math.max(a.fee_ppm, b.fee_ppm),
  minimum_micro_usd: Math.max(a.minimum_micro_usd, b.minimum_micro_usd),
  gas_points: Math.max(a.gas_points, b.gas_points),
});
