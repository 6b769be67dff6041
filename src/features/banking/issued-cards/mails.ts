import type { Message } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import type { IssuedCardDeps } from './deps.ts';
import { cardOwnerOf } from './people-store.ts';
import type { IssuedCard } from './store.ts';
import { CARD_TEXTS } from './texts.ts';

type MailDeps = Pick<IssuedCardDeps, 'messages'>;

/** A card that its owner has not asked for would be noticed by this. */
export const mailCardMade = (deps: MailDeps, tx: Db, card: IssuedCard): Promise<void> =>
  mail(deps, tx, card, {
    purpose: 'card-made',
    words: inEachLanguage(CARD_TEXTS, ({ made }) => made(card.last4)),
  });

export const mailCardFrozen = (deps: MailDeps, tx: Db, card: IssuedCard): Promise<void> =>
  mail(deps, tx, card, {
    purpose: 'card-frozen',
    words: inEachLanguage(CARD_TEXTS, ({ frozen }) => frozen(card.last4)),
  });

async function mail(
  { messages }: MailDeps,
  tx: Db,
  { user_id }: IssuedCard,
  content: Pick<Message, 'purpose' | 'words'>,
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
