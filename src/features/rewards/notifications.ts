import type { Messages } from '#features/messages/messages.ts';
import { OURSELVES } from '#kernel/access/asker.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Member } from './members.ts';

export interface News {
  readonly title: string;
  readonly message: string;
}

/**
 * Keeps a notification for the app's list and pushes it to the person's device, both if and only if
 * the transaction commits. Members without a device are addressed by phone number.
 */
export async function notify(
  tx: Db,
  messages: Messages,
  member: Pick<Member, 'userx_id' | 'phonex' | 'device_token'>,
  { title, message }: News,
): Promise<void> {
  const { userx_id, device_token, phonex } = member;
  await tx.insertInto('userx_notifications').values({ userx_id, title, message }).execute();
  await messages.send(tx, OURSELVES, {
    kind: 'news',
    channel: 'push',
    to: device_token ?? phonex,
    purpose: 'reward',
    subject: title,
    text: [message],
  });
}

/** Newest first. */
export const listNotifications = (
  db: Db,
  userx_id: number,
  page: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('userx_notifications')
    .where('userx_id', '=', userx_id)
    .$if(page.before !== undefined, (q) => q.where('push_id', '<', page.before ?? 0))
    .orderBy('push_id', 'desc')
    .limit(page.limit)
    .select(['push_id', 'title', 'message', 'read', 'created_at'])
    .execute();
