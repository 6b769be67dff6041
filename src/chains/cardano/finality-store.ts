import { type Db, run } from '#kernel/db/db.ts';

/** So many of our latest transactions say how long the chain takes. */
const LATEST = 100;

/** Median of the seconds from signing to the confirmations, of our latest transactions; null before the first. */
export async function medianConfirmation(db: Db, network: string): Promise<number | null> {
  const [row] = await run<{ seconds: number | null }>(
    db,
    `select percentile_cont(0.5) within group (order by greatest(0, extract(epoch from confirmed_at - created_at)))
       as seconds
     from (select confirmed_at, created_at from cardano_transactions
            where network = $1 order by created_at desc limit ${LATEST}) latest
     where confirmed_at is not null`,
    [network],
  );
  return row?.seconds ?? null;
}
