import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { mailOf } from './mail.ts';
import { SECURITY_NOTICES_PERSON_DATA } from './person-data.ts';
import {
  type AccessChange,
  insertChange,
  listUnsent,
  type RecordedNotice,
  takeChanges,
} from './store.ts';

export { mailOperators } from './operators.ts';

/**
 * Mails users the changes of the ways to log in to their account. Triggers of the tables record each change
 * (migration 0025) with the address of the moment before, so no code path can forget it.
 */
export interface SecurityNotices {
  /**
   * Mails the recorded changes of a user, in the caller's transaction. A job mails the rest within a minute; a caller
   * that changes something calls it so that the mail leaves at once.
   */
  sendDue(tx: Db, user_id: number): Promise<void>;
  /** Records an event that no table shows: that secrets were read or stolen. */
  record(tx: Db, user_id: number, what: RecordedNotice): Promise<void>;
}

/** The page for users who have lost their password, or fear for their account. */
export const FORGOTTEN_PAGE = '/forgotten-password';

type Deps = Pick<Kernel, 'db' | 'publicUrl'> & { readonly messages: Messages };

/** Users of one run, so that every run ends; the next is a minute later. */
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
          words: mailOf(changes, `${publicUrl()}${FORGOTTEN_PAGE}`),
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
  return {
    name: 'security-notices',
    personData: SECURITY_NOTICES_PERSON_DATA,
    sendDue,
    record: insertChange,
    schedules: [sweep],
  };
}

/** One mail for all simultaneous changes. */
const byAddress = (changes: readonly AccessChange[]): Map<string, AccessChange[]> =>
  Map.groupBy(changes, ({ told_to }) => told_to);

/** Reserved names (RFC 2606), which users without an address get. */
const isPlaceholder = (address: string): boolean => address.toLowerCase().endsWith('.invalid');
