import { mailOperators } from '#features/accounts/security-notices/security-notices.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage, localAmount } from '#kernel/localised.ts';
import { adjustmentReferenceOf } from './presenters.ts';
import type { Adjustment } from './store.ts';
import { CORRECTION_TEXTS } from './texts.ts';

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
    words: inEachLanguage(CORRECTION_TEXTS, (words, language) =>
      words({
        isReversal: kind === 'reversal',
        money: localAmount(language, { asset, units }),
        reference: adjustmentReferenceOf(row),
        user_id,
        proposed_by,
        decided_by,
        reason,
      }),
    ),
  });
}
