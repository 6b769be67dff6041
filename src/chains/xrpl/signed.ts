import { type Db, run } from '#kernel/db/db.ts';
import type { SignedTransaction } from '../port.ts';

/** What may still happen, or has and is not known to. */
export const signedXrpl = (db: Db, limit: number): Promise<SignedTransaction[]> =>
  run(
    db,
    `select 'xrpl' as chain, hash, reference, status, signed_at
     from xrpl_journal where status = 'PENDING' order by journal_id limit $1`,
    [limit],
  );
