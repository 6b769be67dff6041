import type { MessageWords } from '#features/messaging/messages/messages.ts';
import { inEachLanguage, type Localised, localMoment } from '#kernel/localised.ts';
import { linkLine } from '#kernel/wording.ts';
import type { PendingChange } from './store.ts';
import { CHANGE_TEXTS } from './texts.ts';

interface ExplainedChange {
  readonly subject: string;
  /** Each a whole sentence. */
  readonly lines: readonly string[];
}

/** The pending change, and the effect of the user's consent. */
export const explain = (change: PendingChange): Localised<ExplainedChange> =>
  inEachLanguage(CHANGE_TEXTS, ({ changes, proposed, ordered }, language) => {
    const { takes_effect_at, kind } = change;
    const { subject, before, after } =
      takes_effect_at === null ? proposed : ordered(localMoment(language, takes_effect_at));
    return { subject, lines: [before, ...changes[kind](change), ...after] };
  });

/** For the owner, who decides behind the link. */
export function proposedMail(change: PendingChange, link: string): Localised<MessageWords> {
  const explained = explain(change);
  return inEachLanguage(CHANGE_TEXTS, ({ button }, language) => {
    const { subject, lines } = explained[language];
    return { subject, text: [...lines, '', linkLine(link, button)] };
  });
}

/** For the owner, whom a mail has announced the order to. */
export const voidedMail = (
  change: Pick<PendingChange, 'subject' | 'details' | 'kind'>,
): Localised<MessageWords> =>
  inEachLanguage(CHANGE_TEXTS, ({ voided, changes }) => voided(changes[change.kind](change)));
