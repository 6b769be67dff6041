import { type Db, run } from './db.ts';

/** The tables that have a partition for each day or month; how long one lasts says `partition_span()`. */
export type PartitionedTable =
  | 'public.request_logs'
  | 'webhooks.attempts'
  | 'public.policy_decisions';

/** Makes the partition of that moment and the one after it; answers how many were missing. */
export async function providePartitions(
  db: Db,
  table: PartitionedTable,
  at: Date,
): Promise<number> {
  const text = 'select provide_partitions($1, $2) as made';
  const [row] = await run<{ made: number }>(db, text, [table, at.toISOString()]);
  return row?.made ?? 0;
}

/**
 * Drops the partitions that ended before then; in a transaction. Waits two seconds for their locks at most, since
 * writers wait behind it.
 */
export async function forgetPartitions(
  tx: Db,
  table: PartitionedTable,
  before: Date,
): Promise<void> {
  await run(tx, `set local lock_timeout = '2s'`, []);
  await run(tx, 'select forget_partitions($1, $2)', [table, before.toISOString()]);
}
