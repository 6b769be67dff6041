import { type Db, run } from '#kernel/db/db.ts';

/** So many of our latest transactions, of all chains, say how long each chain takes: they are read by the primary key. */
const LATEST = 500;

/** Median of the seconds from sending to the block, of our latest transactions there; null before the first. */
export async function medianInclusion(db: Db, chainId: number): Promise<number | null> {
  const [row] = await run<{ seconds: number | null }>(
    db,
    `select percentile_cont(0.5) within group (order by greatest(0, extract(epoch from mined_at - sent_at)))
       as seconds
     from (select chain_id, mined_at, sent_at from chain_transactions
            order by transaction_id desc limit ${LATEST}) latest
     where chain_id = $1 and mined_at is not null`,
    [chainId],
  );
  return row?.seconds ?? null;
}
