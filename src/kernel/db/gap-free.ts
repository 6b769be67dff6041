import { type Db, run } from './db.ts';

/** A table of one row with `decided`, `next_decided` and `next_xid`, and the numbers that it is about. */
export interface GapFreeProgress {
  readonly progress: 'ledger.verification' | 'activity_sealing';
  /** SQL of the highest that is there, as `id`. */
  readonly newest: string;
}

/**
 * Notes up to which number all rows are there or never will be. A row's number is handed out before its transaction ends, so a
 * higher one may be there before a lower: it is decided once every transaction has ended that was open when the highest was read.
 */
export async function advanceGapFree(db: Db, { progress, newest }: GapFreeProgress): Promise<void> {
  const decide = () =>
    run(
      db,
      `update ${progress} set decided = next_decided
       where decided < next_decided and next_xid <= pg_snapshot_xmin(pg_current_snapshot())`,
      [],
    );
  await decide();
  const [found] = await run<{ id: number }>(db, newest, []);
  // A statement later than the one above: a transaction with a lower number is open in its snapshot, or has ended.
  await run(
    db,
    `update ${progress} set next_decided = $1, next_xid = pg_snapshot_xmax(pg_current_snapshot())
     where decided = next_decided and next_decided < $1`,
    [found?.id ?? 0],
  );
  await decide();
}
