import { type Db, run } from '#kernel/db/db.ts';
import { nextSteps } from '#kernel/effects/next-attempt.ts';
import type { HeldObject, HoldOwner } from '#kernel/ledger/holds.ts';

/** What a card has paid is set aside in the merchant's wallet until it is booked. */
export const INVOICE_CARD_HOLDS: HoldOwner = {
  kind: 'card-top-up',
  freedBy: 'The payment of the invoice is booked',
  find: findCardPayments,
};

type Found = Omit<HeldObject, 'next_attempt_at'>;

async function findCardPayments(db: Db, holds: readonly string[]): Promise<HeldObject[]> {
  const rows = await run<Found>(
    db,
    `select p.object_id as hold, i.account_id, p.object_id as reference, p.status = 'PENDING' as is_open, null as until
       from invoice_payments p join invoices i using (invoice_id)
       where p.object_id = any($1) and p.method = 'card'`,
    [holds],
  );
  const next = await nextSteps(db, holds);
  return rows.map((row) => ({ ...row, next_attempt_at: next.get(row.hold) ?? null }));
}
