import { type Db, run } from '#kernel/db/db.ts';

type Kind = 'MINT' | 'REDEEM';

/**
 * `MINT-<epoch_ms>-<user_id>` (contract: the records). Two of a user in one millisecond are told apart
 * by it: the later one has the next.
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

/** How many of a kind a user has, in that status or in all; kept with every change of one. */
export async function countOf(
  db: Db,
  kind: Kind,
  user_id: number,
  status?: string,
): Promise<number> {
  const [row] = await run<{ total: number }>(
    db,
    `select coalesce(sum(n), 0)::bigint as total from idr_counts
     where user_id = $1 and kind = $2 and ($3::text is null or status = $3)`,
    [user_id, kind, status ?? null],
  );
  return row?.total ?? 0;
}
