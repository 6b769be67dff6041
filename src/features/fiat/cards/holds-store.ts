import { type Db, run } from '#kernel/db/db.ts';
import { nextAttemptSql } from '#kernel/effects/next-attempt.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';

/** Refunds and payouts to cards hold their money until the network has answered. */
export const CARD_HOLDS: HoldOwner = {
  kind: 'card-hold',
  freedBy: 'The card network takes the payment or refuses it',
  find: findCardHolders,
};

function findCardHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  return run(
    db,
    `select 'card:' || t.reference_id as hold, w.account_id, t.reference_id as reference,
         t.state = 'PENDING' as is_open, null as until,
         ${nextAttemptSql(`array['effect.card']`, 't.reference_id')} as next_attempt_at
       from card_transactions t join fiat_wallets w using (wallet_id)
       where t.reference_id = any($1)`,
    [holds.map((hold) => hold.replace(/^card:/, ''))],
  );
}
