import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { type AccessChange, insertChange, listUnsent, takeChanges } from './store.ts';
import { mailOf } from './text.ts';

export { mailOperators } from './operators.ts';

/**
 * Mails users what changed in the ways to log in to their account. The tables note such a change by
 * themselves (migration 0025), to be mailed to the address of the moment before: no code path has to
 * think of it, and none can forget it.
 */
export interface SecurityNotices {
  /**
   * Mails what is noted of a user, in the caller's transaction. Without this it is mailed within a
   * minute; a caller that changes something calls it so that the mail leaves at once.
   */
  sendDue(tx: Db, user_id: number): Promise<void>;
  /** Notes what no table shows: that secrets were looked at. */
  record(tx: Db, user_id: number, what: 'backup-codes-shown'): Promise<void>;
}

/** The page for whoever has lost their password, or fears for their account. */
export const FORGOTTEN_PAGE = '/forgotten-password';

type Deps = Pick<Kernel, 'db' | 'publicUrl'> & { readonly messages: Messages };

/** Users of one run, so that no run is without end; the next is a minute later. */
const USERS_MAX = 1000;

export function createSecurityNotices({
  db,
  publicUrl,
  messages,
}: Deps): Feature & SecurityNotices {
  async function sendDue(tx: Db, user_id: number): Promise<void> {
    for (const [to, changes] of byAddress(await takeChanges(tx, user_id)))
      if (!isPlaceholder(to))
        await messages.send(tx, THE_SERVICE, {
          kind: 'notice',
          channel: 'email',
          to,
          purpose: 'security-notice',
          user_id,
          ...mailOf(changes, `${publicUrl()}${FORGOTTEN_PAGE}`),
        });
  }
  const sweep = defineSchedule({
    name: 'security-notices.tell',
    cron: '* * * * *',
    async run() {
      for (const { user_id } of await listUnsent(db, USERS_MAX))
        await transact(db, (tx) => sendDue(tx, user_id)).catch((error: unknown) => {
          // A user over the budget gets the mail a minute later, and does not hold up the others.
          if (!(error instanceof AppError)) throw error;
        });
    },
  });
  return { name: 'security-notices', sendDue, record: insertChange, schedules: [sweep] };
}

/** One mail for all that happened at once. */
const byAddress = (changes: readonly AccessChange[]): Map<string, AccessChange[]> =>
  Map.groupBy(changes, ({ told_to }) => told_to);

/** Reserved names (RFC 2606), given to users who came without an address. */
const isPlaceholder = (address: string): boolean => address.toLowerCase().endsWith('.invalid');
