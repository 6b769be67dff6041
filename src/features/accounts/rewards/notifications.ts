import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage, type Localised, languageNow } from '#kernel/localised.ts';
import type { Member } from './member-store.ts';
import { insertNotification, type Notification } from './store.ts';

/**
 * Keeps a notification for the app's list and pushes it to the member's device, both if and only if the transaction
 * commits, in the language of the request. Members without a device are addressed by phone number.
 */
export async function notify(
  tx: Db,
  messages: Messages,
  member: Pick<Member, 'userx_id' | 'phonex' | 'device_token'>,
  said: Localised<Notification>,
): Promise<void> {
  const { userx_id, device_token, phonex } = member;
  await insertNotification(tx, userx_id, said[languageNow()]);
  await messages.send(tx, THE_SERVICE, {
    kind: 'news',
    channel: 'push',
    to: device_token ?? phonex,
    purpose: 'reward',
    words: inEachLanguage(said, ({ title, message }) => ({ subject: title, text: [message] })),
  });
}
