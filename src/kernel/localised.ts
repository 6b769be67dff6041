import { acceptedLanguages } from './cause.ts';
import { type PageLanguage, pageLanguage } from './http/pages/language.ts';
import { format, type Money } from './money/money.ts';

/** The same in each language. A missing one does not compile. */
export type Localised<T> = Readonly<Record<PageLanguage, T>>;

/** What `make` makes of the texts of each language. */
export const inEachLanguage = <T, R>(
  texts: Localised<T>,
  make: (texts: T, language: PageLanguage) => R,
): Localised<R> => ({ en: make(texts.en, 'en'), id: make(texts.id, 'id') });

/** For a text that is in its reader's language already, as an answer in a chat is. */
export const alreadyLocalised = <T>(text: T): Localised<T> => ({ en: text, id: text });

/** The language that the current request asks for; English where no request is served. */
export const languageNow = (): PageLanguage => pageLanguage(undefined, acceptedLanguages());

const LOCALES: Localised<string> = { en: 'en-GB', id: 'id-ID' };
const SPACES = /[\u00a0\u202f]/g;

/** `USD 1,234.50`, `IDR 1.234`: rupiah without cents where there are none, USDC as our own code. */
export function localAmount(language: PageLanguage, { asset, units }: Money): string {
  const amount = format({ asset, units });
  const [whole = '', fraction = ''] = amount.split('.');
  const isWhole = asset === 'IDR' && !/[1-9]/.test(fraction);
  const digits = isWhole ? 0 : fraction.length;
  const form = new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // As text: a number could not hold all of them exactly.
  const exact = (isWhole ? whole : amount) as Intl.StringNumericLiteral;
  return `${asset} ${form.format(exact)}`;
}

/** `28 November 2026`, of a moment in ISO 8601. */
export const localDay = (language: PageLanguage, iso: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(iso),
  );

/** `28 November 2026, 03:04 UTC`, of a moment in ISO 8601. */
export const localMoment = (language: PageLanguage, iso: string): string => {
  const time = new Intl.DateTimeFormat(LOCALES[language], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(new Date(iso));
  return `${localDay(language, iso)}, ${time} UTC`.replace(SPACES, ' ');
};
