import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage, localMoment } from '#kernel/localised.ts';
import type { Policy } from '#kernel/policies/policy-store.ts';
import { adminEmail } from './people-store.ts';
import { POLICY_TEXTS } from './texts.ts';

/** Tells the one admin of a client what takes effect a day later in their name. */
export async function mailSoleAdmin(
  { messages }: { readonly messages: Pick<Messages, 'send'> },
  tx: Db,
  { pending, pending_by, pending_at, name }: Policy,
): Promise<void> {
  const user_id = pending_by ?? 0;
  const to = await adminEmail(tx, user_id);
  if (to === undefined) return;
  await messages.send(tx, THE_SERVICE, {
    kind: 'notice',
    channel: 'email',
    to,
    user_id,
    purpose: 'policy-announced',
    words: inEachLanguage(POLICY_TEXTS, (words, language) =>
      words({ name, isRetired: pending === 'retire', at: localMoment(language, pending_at ?? '') }),
    ),
  });
}
