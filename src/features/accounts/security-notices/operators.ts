import type { Message, Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { listOperators } from './store.ts';

/** The most mails of one notice; the operator has fewer admins. */
const MAILED_MAX = 100;

/** A notice to all admins of the operator except its actor. */
export type OperatorNotice = Pick<Message, 'kind' | 'purpose' | 'words'> & {
  readonly except: number;
};

/**
 * Mails them in the transaction of the action. Beyond the mail budget it drops `news`, and throws RATE_LIMITED for a
 * `notice`.
 */
export async function mailOperators(
  { messages }: { readonly messages: Messages },
  tx: Db,
  { except, ...notice }: OperatorNotice,
): Promise<void> {
  for (const { user_id, email } of await listOperators(tx, except, MAILED_MAX))
    await messages.send(tx, THE_SERVICE, {
      channel: 'email',
      to: email,
      user_id,
      ...notice,
    });
}
