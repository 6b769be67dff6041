import { type Db, now } from '#kernel/db/db.ts';
import type { FeeRecord, FeeTerms } from './fee-settings.ts';

/** Puts new terms in force in the place of the client's old ones. Answers whether there were any. */
export async function replaceTerms(
  tx: Db,
  client_id: number,
  updated_by_admin_id: number,
  terms: FeeTerms,
): Promise<{ record: FeeRecord; replaced: boolean }> {
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
    .where('is_active', '=', true)
    .returning('id')
    .execute();
  const { fee_ppm, minimum_micro_usd, gas_points } = terms;
  const record = await tx
    .insertInto('fee_settings')
    .values({ client_id, updated_by_admin_id, fee_ppm, minimum_micro_usd, gas_points })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { record, replaced: old.length > 0 };
}
