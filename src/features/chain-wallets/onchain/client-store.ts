import type { Db } from '#kernel/db/db.ts';

/** Whose sends those are, by their operations. */
export async function clientsOfSends(
  db: Db,
  operations: readonly string[],
): Promise<Map<string, number>> {
  if (operations.length === 0) return new Map();
  const rows = await db
    .selectFrom('onchain_sends')
    .select(['operation', 'client_id'])
    .where('operation', 'in', [...new Set(operations)])
    .execute();
  return new Map(rows.map(({ operation, client_id }) => [operation, client_id]));
}
