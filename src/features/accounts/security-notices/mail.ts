import type { MessageWords } from '#features/messaging/messages/messages.ts';
import { inEachLanguage, type Localised } from '#kernel/localised.ts';
import type { AccessChange } from './store.ts';
import { SECURITY_NOTICE_TEXTS } from './texts.ts';

/** One mail for all simultaneous changes; `page` is the page that requests a password reset. */
export function mailOf(changes: readonly AccessChange[], page: string): Localised<MessageWords> {
  const [first, ...others] = changes;
  const moved = changes.some(({ what }) => what === 'email-changed');
  return inEachLanguage(SECURITY_NOTICE_TEXTS, ({ notices, several, reset, addressChanged }) => {
    const subject = first && others.length === 0 ? notices[first.what].subject : several;
    const lines = changes.map(({ what, detail }) => notices[what].lineOf(detail ?? ''));
    return { subject, text: [...lines, '', ...(moved ? [addressChanged] : reset(page))] };
  });
}
