import { type Db, run } from '#kernel/db/db.ts';
import type { Transfer } from '../store.ts';

/** Minted, both ends of which were not found as they should be so far, nor looked at since then. */
export const listUnreconciled = (db: Db, since: Date, limit: number): Promise<Transfer[]> =>
  run(
    db,
    `select * from crosschain_transfers
     where status = 'MINTED' and reconciled_at is null
       and (checked_at is null or checked_at < $1)
     order by checked_at nulls first, serial limit $2`,
    [since.toISOString(), limit],
  );

/** Burnt that long ago, not minted, and not looked at yet. */
export const listStuck = (db: Db, before: Date, limit: number): Promise<Transfer[]> =>
  run(
    db,
    `select * from crosschain_transfers
     where status = 'BURNED' and checked_at is null and updated_at < $1
     order by updated_at limit $2`,
    [before.toISOString(), limit],
  );

/** It was looked at in this state; \`isWhole\` when both ends are as they should be, and will stay so. */
export async function markChecked(
  db: Db,
  { log_id, status }: Transfer,
  { at, isWhole }: { readonly at: Date; readonly isWhole: boolean },
): Promise<void> {
  await run(
    db,
    `update crosschain_transfers
     set checked_at = $3, reconciled_at = case when $4 then $3::timestamptz end
     where log_id = $1 and status = $2 and reconciled_at is null`,
    [log_id, status, at.toISOString(), isWhole],
  );
}
