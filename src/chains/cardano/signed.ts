import { type Db, run } from '#kernel/db/db.ts';
import type { SignedTransaction } from '../port.ts';

/** What may still happen, or has and is not booked. */
export const signedCardano = (db: Db, limit: number): Promise<SignedTransaction[]> =>
  run(
    db,
    `select 'cardano' as chain, hash, reference, state as status, created_at as signed_at
     from cardano_transactions
     where state = 'SIGNED' or (state = 'CONFIRMED' and booked_at is null) order by seq limit $1`,
    [limit],
  );
