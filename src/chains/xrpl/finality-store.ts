import { type Db, run } from '#kernel/db/db.ts';

/** So many of our latest payments say how long the ledger takes. */
const LATEST = 100;

/** Median of the seconds from signing to the validated ledger, of our latest payments; null before the first. */
export async function medianValidation(db: Db): Promise<number | null> {
  const [row] = await run<{ seconds: number | null }>(
    db,
    `select percentile_cont(0.5) within group (order by greatest(0, extract(epoch from ended_at - signed_at)))
       as seconds
     from (select status, ended_at, signed_at from xrpl_journal
            order by journal_id desc limit ${LATEST}) latest
     where status = 'VALIDATED' and ended_at is not null`,
    [],
  );
  return row?.seconds ?? null;
}
