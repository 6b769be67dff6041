import { mailOperators } from '#features/accounts/security-notices/security-notices.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { adjustmentReferenceOf } from './presenters.ts';
import type { Adjustment } from './store.ts';

/** Notifies all other admins of the operator of a booked correction, in the transaction that books it. */
export async function mailBooked(
  { messages }: { readonly messages: Messages },
  tx: Db,
  row: Adjustment,
): Promise<void> {
  const { asset, units, kind, user_id, proposed_by, decided_by, reason } = row;
  await mailOperators({ messages }, tx, {
    // The events and the back office show it as well: a full mailbox keeps no correction from being booked.
    kind: 'news',
    except: decided_by ?? 0,
    purpose: 'adjustment-booked',
    subject: 'A correction of the ledger was booked',
    text: [
      `${kind === 'reversal' ? 'A reversal' : 'A correction'} of ${format({ asset, units })} ${asset} was booked: ${adjustmentReferenceOf(row)}.`,
      `It is about ${user_id === null ? 'a member of the rewards app' : `user ${user_id}`}. Admin ${proposed_by} proposed it, admin ${decided_by} approved it.`,
      `Reason: ${reason}`,
      'If you did not expect it, check it at the desk, and suspend the admin who should not have done it.',
    ],
  });
}
