import type { Db } from '#kernel/db/db.ts';
import type { Inboxes } from '#kernel/effects/inbox.ts';
import type { PayoutInbox } from './notifications.ts';
import { type KnownPayout, movePaid, type PayoutRow } from './payout-store.ts';

/** Records that the gateway has paid them out; returns those that were not recorded as paid before. */
export type BookPaid = (
  tx: Db,
  references: readonly string[],
  known?: KnownPayout,
) => Promise<readonly PayoutRow[]>;

/**
 * The one way to PAID. A pay-out that was reported as failed before it was booked as paid is polled again after that:
 * a bank may have returned it meanwhile.
 */
export const paidBooking =
  ({ inboxes }: { readonly inboxes: Pick<Inboxes, 'receive'> }, inbox: PayoutInbox): BookPaid =>
  async (tx, references, known) => {
    const paid = await movePaid(tx, references, known);
    for (const { reference, failed_told } of paid)
      if (failed_told)
        await inboxes.receive(tx, inbox, reference, {
          event: 'asked-again',
          reference,
          status: 'FAILED',
        });
    return paid;
  };
