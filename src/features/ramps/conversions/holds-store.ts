import { type Db, run } from '#kernel/db/db.ts';
import { nextAttemptSql } from '#kernel/effects/next-attempt.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';

const PREFIX = 'conversion:';

/** A conversion holds its rupiah until the gateway has paid them out to the exchange. */
export const CONVERSION_HOLDS: HoldOwner = {
  kind: 'conversion-hold',
  freedBy: 'The gateway pays the rupiah out to the exchange or refuses to',
  find: findConversionHolders,
};

function findConversionHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  return run(
    db,
    `select '${PREFIX}' || j.job_id as hold, j.account_id, j.reference_id as reference,
         j.paid_out_at is null and j.status <> 'FAILED' as is_open, null as until,
         ${nextAttemptSql(`array['effect.conversion-payout']`, 'j.job_id::text')} as next_attempt_at
       from conversion_jobs j where j.job_id = any($1)`,
    [holds.map((hold) => Number(hold.slice(PREFIX.length)))],
  );
}
