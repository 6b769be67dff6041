import type { Db } from '#kernel/db/db.ts';
import type { Inboxes } from '#kernel/effects/inbox.ts';
import type { PayoutInbox } from './news.ts';
import { type KnownPayout, movePaid, type PayoutRow } from './payout-store.ts';

/** Writes down that the gateway has paid them out; answers those that were not known to be paid. */
export type BookPaid = (
  tx: Db,
  references: readonly string[],
  known?: KnownPayout,
) => Promise<readonly PayoutRow[]>;

/**
 * The one way to PAID, whoever has told of it. A pay-out that was said to have failed before it was booked as
 * paid is asked about again after that: a bank may have sent it back meanwhile.
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
