import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Policy } from '#kernel/policies/policy-store.ts';
import { adminEmail } from './people-store.ts';

/** Tells the one admin of a client what takes effect a day later in their name. */
export async function mailSoleAdmin(
  { messages }: { readonly messages: Pick<Messages, 'send'> },
  tx: Db,
  { pending, pending_by, pending_at, name }: Policy,
): Promise<void> {
  const user_id = pending_by ?? 0;
  const to = await adminEmail(tx, user_id);
  if (to === undefined) return;
  const act = pending === 'retire' ? 'retired' : 'published';
  await messages.send(tx, THE_SERVICE, {
    kind: 'notice',
    channel: 'email',
    to,
    user_id,
    purpose: 'policy-announced',
    subject: `A policy will be ${act}`,
    text: [
      `Your account has asked for the policy “${name}” to be ${act}. You are the only admin of your client, so it takes effect on ${pending_at}.`,
      'If you did not ask for it, change your password, edit the policy, and write to the operator.',
    ],
  });
}
