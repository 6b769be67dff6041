import type { Message } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { IssuedCardDeps } from './deps.ts';
import { cardOwnerOf } from './people-store.ts';
import type { IssuedCard } from './store.ts';

type MailDeps = Pick<IssuedCardDeps, 'messages'>;

/** A card that its owner has not asked for would be noticed by this. */
export const mailCardMade = (deps: MailDeps, tx: Db, card: IssuedCard): Promise<void> =>
  mail(deps, tx, card, {
    purpose: 'card-made',
    subject: 'You have a new card',
    text: [
      `Your card that ends in ${card.last4} was made. Activate it in the app before you pay with it.`,
      'If you have not asked for it, change your password and write to us.',
    ],
  });

export const mailCardFrozen = (deps: MailDeps, tx: Db, card: IssuedCard): Promise<void> =>
  mail(deps, tx, card, {
    purpose: 'card-frozen',
    subject: 'Your card was frozen',
    text: [
      `Your card that ends in ${card.last4} was frozen by an administrator. It pays nothing until they unfreeze it.`,
    ],
  });

async function mail(
  { messages }: MailDeps,
  tx: Db,
  { user_id }: IssuedCard,
  content: Pick<Message, 'purpose' | 'subject' | 'text'>,
): Promise<void> {
  const { email } = await cardOwnerOf(tx, user_id);
  await messages.send(tx, THE_SERVICE, {
    kind: 'notice',
    channel: 'email',
    to: email,
    user_id,
    ...content,
  });
}
