import { type Db, run } from '#kernel/db/db.ts';
import { nextSteps } from '#kernel/effects/next-attempt.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';

/** A refund to a bank sets its amount aside until it has ended. */
export const INVOICE_REFUND_HOLDS: HoldOwner = {
  kind: 'invoice-refund-hold',
  freedBy: 'The bank is paid, or the refund fails, or its payer names no account in time',
  find: findRefundHolders,
};

type Found = Omit<HeldObject, 'next_attempt_at'>;

async function findRefundHolders(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  const rows = await run<Found>(
    db,
    `select r.object_id as hold, i.account_id, r.object_id as reference,
         r.status in ('AWAITING_PAYER', 'PENDING') as is_open,
         case r.status when 'AWAITING_PAYER' then r.claim_expires_at end as until
       from invoice_refunds r join invoices i using (invoice_id)
       where r.object_id = any($1)
         and (r.unmatched_id is null or r.way = 'card' and r.status <> 'AWAITING_PAYER')`,
    [holds],
  );
  const next = await nextSteps(db, holds);
  return rows.map((row) => ({ ...row, next_attempt_at: next.get(row.hold) ?? null }));
}
