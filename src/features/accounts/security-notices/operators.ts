import type { Message, Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { listOperators } from './store.ts';

/** So many are mailed at the most; the operator has fewer admins. */
const MAILED_MAX = 100;

/** What all admins of the operator have to know of, but for the one who has done it. */
export type OperatorNotice = Pick<Message, 'kind' | 'purpose' | 'text'> & {
  readonly subject: string;
  readonly except: number;
};

/** Mails them, in the transaction that does it. Of too many `news` are left out, and a `notice` throws RATE_LIMITED. */
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
