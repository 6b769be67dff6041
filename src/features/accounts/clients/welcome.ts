import { confirmationLink } from '#features/accounts/users/users.ts';
import type { Message } from '#features/messaging/messages/messages.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { AccountDeps } from './account-deps.ts';

export interface Welcome extends Pick<Message, 'to' | 'subject' | 'purpose'> {
  readonly user_id: number;
  readonly by: Requester;
  /** The lines of the mail, with the link that confirms the address. */
  text(confirm: string): Message['text'];
}

/** Mails the owner of a new account; `messages` logs the delivery. */
export async function sendWelcome(
  tx: Db,
  deps: AccountDeps,
  { by, text, ...mail }: Welcome,
): Promise<void> {
  const confirm = await confirmationLink(tx, deps, mail.user_id);
  const shown = { ...mail, text: text(confirm) };
  await deps.messages.send(tx, by, { kind: 'invitation', channel: 'email', ...shown });
}
