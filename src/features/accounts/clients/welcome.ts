import { confirmationLink } from '#features/accounts/users/users.ts';
import type { Message, MessageWords } from '#features/messaging/messages/messages.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Localised } from '#kernel/localised.ts';
import type { AccountDeps } from './account-deps.ts';

export interface Welcome extends Pick<Message, 'to' | 'purpose'> {
  readonly user_id: number;
  readonly by: Requester;
  /** The mail, with the link that confirms the address. */
  words(confirm: string): Localised<MessageWords>;
}

/** Mails the owner of a new account; `messages` logs the delivery. */
export async function sendWelcome(
  tx: Db,
  deps: AccountDeps,
  { by, words, ...mail }: Welcome,
): Promise<void> {
  const confirm = await confirmationLink(tx, deps, mail.user_id);
  const shown = { ...mail, words: words(confirm) };
  await deps.messages.send(tx, by, { kind: 'invitation', channel: 'email', ...shown });
}
