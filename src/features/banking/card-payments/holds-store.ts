import { type Db, run } from '#kernel/db/db.ts';
import type { HeldObject } from '#kernel/ledger/holds.ts';

/** Whose money it is that is set aside for payments of cards. */
export function findPaymentHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  return run(
    db,
    `select 'card-payment:' || p.object_id as hold, p.account_id, p.object_id as reference,
       p.held > 0 as is_open, null as next_attempt_at, p.holds_until as until
     from card_payments p where p.object_id = any($1::text[])`,
    [holds.map((hold) => hold.replace(/^card-payment:/, ''))],
  );
}
