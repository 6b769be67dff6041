import { language } from '../prefs.ts';

let words: Readonly<Record<string, string>> = {};

/** Before the first render: the words of another language are loaded by its readers alone. */
export async function loadWords(): Promise<void> {
  document.documentElement.lang = language;
  if (language === 'id') words = (await import('./id.ts')).INDONESIAN;
}

/**
 * A text in the language of the reader, with `{name}` replaced. The English one is its key, so that pages are read as
 * they are shown; a text without a translation stays English.
 */
export function say(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const said = words[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A word of the API for people: `IN_PROGRESS` as itself where the language has none for it. */
export const sayCode = (code: string): string => say(code.replaceAll('_', ' ').toLowerCase());
