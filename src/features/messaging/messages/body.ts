import type { PageLanguage } from '#kernel/http/pages/language.ts';
import type { Localised } from '#kernel/localised.ts';
import { htmlOf } from '#kernel/mail-html.ts';
import { kernelTextOf, type Line, unlinked } from '#kernel/wording.ts';
import type { Channel, ChatPart } from '#providers/messages/port.ts';

export type MessageLanguage = PageLanguage | 'both';

/** The content of a message; sealed until it is delivered. */
export interface Body {
  readonly words: Localised<{ readonly subject?: string; readonly text: readonly Line[] }>;
  /** For a reader who has chosen none. */
  readonly language: MessageLanguage;
  readonly chat?: ChatPart;
}

/** As earlier versions have sealed it, in English. */
export interface EnglishBody extends Content {
  readonly words?: undefined;
}

interface Content {
  readonly subject?: string;
  readonly text: string;
  /** For e-mail only. */
  readonly html?: string;
  readonly chat?: ChatPart;
}

/** What is sent, in the language that its reader has chosen, else in the one that the message names. */
export function messageContent(
  body: Body | EnglishBody,
  channel: Channel,
  chosen: PageLanguage | null,
): Content {
  if (body.words === undefined) return body;
  const { subject, text, language } = wordsIn(body, chosen);
  return {
    text: kernelTextOf(text),
    ...(channel === 'email' && { html: htmlOf(unlinked(subject ?? ''), text, language) }),
    ...(subject === undefined ? {} : { subject: unlinked(subject) }),
    ...(body.chat === undefined ? {} : { chat: body.chat }),
  };
}

interface Chosen {
  readonly subject: string | undefined;
  readonly text: readonly Line[];
  readonly language: PageLanguage;
}

function wordsIn({ words, language: named }: Body, chosen: PageLanguage | null): Chosen {
  const language = chosen ?? named;
  if (language !== 'both') {
    const { subject, text } = words[language];
    return { subject, text, language };
  }
  const { en, id } = words;
  return {
    subject: en.subject === undefined ? undefined : `${en.subject} · ${id.subject ?? ''}`,
    text: [...en.text, '', ...id.text],
    language: 'en',
  };
}
