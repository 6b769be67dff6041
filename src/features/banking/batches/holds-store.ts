import { type Db, run } from '#kernel/db/db.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';

/** A batch sets its total and fees aside, or each payment before it goes, until it is over. */
export const BATCH_HOLDS: HoldOwner = {
  kind: 'batch-hold',
  freedBy: 'Its payments arrive, or the batch is over or called off',
  find: findBatchHolders,
};

const HOLDERS = `select our_reference as hold, account_id, our_reference as reference,
    status in ('SCHEDULED', 'PROCESSING') as is_open, null as until,
    case status when 'SCHEDULED' then due_at end as next_attempt_at
  from batches where our_reference = any($1)`;

function findBatchHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  return run<HeldObject>(db, HOLDERS, [holds]);
}
