import { type Db, run } from '#kernel/db/db.ts';
import { nextSteps } from '#kernel/effects/next-attempt.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';

/** A withdrawal sets its amount and fee aside until it has ended. */
export const WITHDRAWAL_HOLDS: HoldOwner = {
  kind: 'withdrawal-hold',
  freedBy: 'The bank is paid, or the withdrawal fails or is cancelled',
  find: findWithdrawalHolders,
};

type Found = Omit<HeldObject, 'next_attempt_at'> & { readonly due_at: string | null };

async function findWithdrawalHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  const rows = await run<Found>(
    db,
    `select w.our_reference as hold, w.account_id, w.our_reference as reference,
         w.status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING') as is_open, null as until,
         case w.status when 'PENDING' then w.due_at end as due_at
       from withdrawals w where w.our_reference = any($1)`,
    [holds],
  );
  const next = await nextSteps(db, holds);
  return rows.map(({ due_at, ...row }) => ({
    ...row,
    next_attempt_at: due_at ?? next.get(row.hold) ?? null,
  }));
}
