import { type Db, run } from '#kernel/db/db.ts';

type Kind = 'MINT' | 'REDEEM';

/**
 * `MINT-<epoch_ms>-<user_id>` (contract: the records). Of two in one millisecond the
 * later one gets the next millisecond.
 */
export async function nextReference(
  tx: Db,
  kind: Kind,
  user_id: number,
  at: Date,
): Promise<string> {
  const [row] = await run<{ ms: number }>(
    tx,
    `insert into idr_references as r (kind, user_id, last_ms) values ($1, $2, $3)
     on conflict (kind, user_id) do update set last_ms = greatest(excluded.last_ms, r.last_ms + 1)
     returning last_ms as ms`,
    [kind, user_id, at.getTime()],
  );
  if (row === undefined) throw new Error('A reference was neither made nor found');
  return `${kind}-${row.ms}-${user_id}`;
}
